package schedule

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/apps"
)

func TestAutostart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "autostart")
	a := Autostart{Folder: folder, Command: []string{"/opt/my programs/errand", "agentd", "--config", `/a"b$c\d%e`}}
	file := filepath.Join(folder, EntryName)
	must.Succeed(t, a.Set(false)) // there is nothing to remove
	must.Succeed(t, a.Set(true))
	b, err := os.ReadFile(file)
	must.Succeed(t, err)
	want := "[Desktop Entry]\nType=Application\nName=Errand\nNoDisplay=true\nExec=\"/opt/my programs/errand\" \"agentd\" \"--config\" \"/a\\\\\"b\\\\$c\\\\\\\\d%%e\"\n"
	if string(b) != want {
		t.Errorf("%q\nwant %q", b, want)
	}
	must.Succeed(t, a.Set(true))
	must.Succeed(t, a.Set(false))
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the entry is still there: %v", err)
	}
	for _, bad := range []Autostart{{Command: a.Command}, {Folder: folder}, {Folder: folder, Command: []string{"errand"}}} {
		must.Succeed(t, bad.Set(true))
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("%+v wrote an entry", bad)
		}
	}
}

// TestAutostartCommand: the desktop starts the command as it is, whatever its paths contain. Nothing in
// them begins another key of the entry.
func TestAutostartCommand(t *testing.T) {
	for _, path := range []string{
		"/home/a b/errand.toml", "/a\nExec=/bin/evil", "/a\r\n[Desktop Entry]\nHidden=true", "/tab\there", `/quote"'$HOME;$(x)` + "`y`",
		`/back\slash\n`, "/100%f%%", "/цель", "/a\\\nb",
	} {
		t.Run(path, func(t *testing.T) {
			data := t.TempDir()
			folder := filepath.Join(data, "applications")
			a := Autostart{Folder: folder, Command: []string{"/bin/sh", "agentd", "--config", path}}
			must.Succeed(t, a.Set(true))
			b, err := os.ReadFile(filepath.Join(folder, EntryName))
			must.Succeed(t, err)
			if lines := strings.Count(string(b), "\n"); lines != 5 {
				t.Errorf("%d lines: %q", lines, b)
			}
			entry, ok := apps.List{Environment: apps.Environment{Folders: []string{data}}}.Find(EntryName)
			if !ok {
				t.Fatalf("no entry in %q", b)
			}
			argv, err := entry.Command()
			must.Succeed(t, err)
			if diff := cmp.Diff(a.Command, argv); diff != "" {
				t.Error(diff)
			}
		})
	}
}
