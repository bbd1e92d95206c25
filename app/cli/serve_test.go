//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
)

// TestServe starts `errand serve`, opens the printed address, asks for a plan like the page, and
// ends it with Ctrl+C.
func TestServe(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "--addr", "127.0.0.1:0")
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "ERRAND_TEST_PAGE=yes", "HOME="+home, "XDG_CACHE_HOME="+cache,
		"XDG_DATA_HOME="+home+"/data", "XDG_CONFIG_HOME="+home+"/config")
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v\n%s", err, &said)
	}
	at, err := url.Parse(strings.TrimSpace(line))
	must.Succeed(t, err)
	base, token := "http://"+at.Host, strings.TrimPrefix(at.Fragment, "token=")

	ask := func(path, key, body string, into any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(body))
		must.Succeed(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+key)
		response, err := http.DefaultClient.Do(r)
		must.Succeed(t, err)
		defer response.Body.Close()
		b, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK || json.Unmarshal(b, into) != nil {
			t.Fatalf("%s: %d %s %v", path, response.StatusCode, b, err)
		}
	}
	var keys struct{ Call string }
	ask("/api/session", "", `{"token":"`+token+`"}`, &keys)
	var plan struct {
		Result struct {
			Gate  string
			Steps []struct{ Tool, Class, Verdict string }
		}
	}
	ask("/api/Plan", keys.Call, `[{"text":"open youtube and search nvidia","answers":[],"voice":null}]`, &plan)
	if s := plan.Result.Steps; plan.Result.Gate != "runs" || len(s) != 1 || s[0].Tool != "system.apps.launch.shell" || s[0].Verdict != "allow" || s[0].Class != "write" {
		t.Errorf("plan %+v", plan.Result)
	}

	began := time.Now()
	must.Succeed(t, cmd.Process.Signal(syscall.SIGINT))
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, &said)
	}
	if took := time.Since(began); took > poll.Patience {
		t.Errorf("the end took %v", took)
	}
	if strings.Contains(said.String(), token) {
		t.Error("the token is in the log")
	}
}
