package pins_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/mcp/client"
	"errand/host/mcp/pins"
	"errand/host/tool"
)

func entry(name string) pins.Server {
	d := client.Definition{Name: "add", Description: "Adds \"a\"\n'''b''' \u200b", InputSchema: json.RawMessage(`{"type":"object"}`)}
	return pins.Server{Name: name, Access: `{"url":"https://a.example"}`, Tools: []pins.Tool{pins.Pin(d, tool.Read)}}
}

// TestStoreAtOnce keeps what the user agreed to, also if several programs write at once.
func TestStoreAtOnce(t *testing.T) {
	s := pins.Store{Dir: t.TempDir()}
	if f, err := s.Read(); err != nil || len(f.Servers) > 0 || s.Stat() != nil {
		t.Fatalf("%+v, %v", f, err)
	}
	var waits sync.WaitGroup
	for i := range 8 {
		waits.Go(func() {
			if err := s.Set(entry(fmt.Sprint("s", i))); err != nil {
				t.Error(err)
			}
		})
	}
	waits.Wait()
	f, err := s.Read()
	must.Succeed(t, err)
	if len(f.Servers) != 8 || f.Servers[0].Name != "s0" || !f.Find("s3").Find("add").IsRead() || f.Find("s3").Find("other") != nil || f.Find("s9").Find("add") != nil {
		t.Errorf("%+v", f)
	}
	must.Succeed(t, s.Remove("s3"))
	if f, err = s.Read(); err != nil || f.Find("s3") != nil || len(f.Servers) != 7 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestDamagedFile refuses a file whose definitions are not those of their pins, and files of others.
func TestDamagedFile(t *testing.T) {
	s := pins.Store{Dir: t.TempDir()}
	must.Succeed(t, s.Set(entry("a")))
	file := filepath.Join(s.Dir, pins.FileName)
	whole, err := os.ReadFile(file)
	must.Succeed(t, err)
	for name, text := range map[string]string{
		"another definition": strings.Replace(string(whole), "Adds", "Sends", 1),
		"another name":       strings.Replace(string(whole), "name = 'add'", "name = 'wipe'", 1),
		"another version":    strings.Replace(string(whole), "version = 1", "version = 2", 1),
		"unknown key":        string(whole) + "\nx = 1\n",
		"no TOML":            "[",
	} {
		if text == string(whole) {
			t.Fatalf("%s: nothing is replaced in\n%s", name, whole)
		}
		must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
		if _, err := s.Read(); tool.AsError(err) == nil || tool.AsError(err).Code != "bad_mcp_lock" {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Remove("a"); err == nil {
			t.Errorf("%s: it was written over", name)
		}
	}
}
