//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/tool"
)

// TestLockThatOthersWrite: the list of plugins is refused without the record being opened, if
// other users can write it, its folder or the keys beside it.
func TestLockThatOthersWrite(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode os.FileMode
		want bool // refused
	}{
		{"plugins.lock", 0o600, false},
		{"plugins.lock", 0o644, false},
		{"plugins.lock", 0o646, true},
		{"plugins.lock", 0o602, true},
		{"hash.key", 0o602, true},
		{"plugin-code.key", 0o602, true},
		{".", 0o777, true},
	} {
		t.Run(tt.name+" "+tt.mode.String(), func(t *testing.T) {
			a, _ := opened(t, Options{})
			data := a.conf.Paths.Data
			must.Succeed(t, os.MkdirAll(data, 0o700))
			name := filepath.Join(data, tt.name)
			if tt.name != "." {
				must.Succeed(t, os.WriteFile(name, []byte("version = 1\n"), 0o600))
			}
			must.Succeed(t, os.Chmod(name, tt.mode))
			_, err := a.plugins.InstalledIDs()
			if (err != nil) != tt.want || err != nil && !strings.Contains(say(tool.AsError(err).Message), data) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(filepath.Join(data, "errand.db")); err == nil {
				t.Error("the record was opened")
			}
		})
	}
}
