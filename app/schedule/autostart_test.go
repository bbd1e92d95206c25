package schedule

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
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
