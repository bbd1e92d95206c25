//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
)

// TestCheckData checks that Errand's own files are refused if other users can write them.
func TestCheckData(t *testing.T) {
	for _, tt := range []struct {
		name   string
		path   string // in the folder above data
		mode   os.FileMode
		folder bool
		want   bool // refused
	}{
		{"private", "data/errand.db", 0o600, false, false},
		{"others read", "data/errand.db", 0o644, false, false},
		{"others write the record", "data/errand.db", 0o602, false, true},
		{"everybody writes the record", "data/errand.db", 0o666, false, true},
		{"others write the list of plugins", "data/plugins.lock", 0o646, false, true},
		{"others write the key", "data/plugin-code.key", 0o602, false, true},
		{"others write in the data", "data", 0o757, true, true},
		{"everybody writes in the data", "data", 0o777, true, true},
		{"others write above the data", ".", 0o777, true, true},
		{"a folder such as /tmp above", ".", 0o777 | os.ModeSticky, true, false},
		{"another file", "data/notes", 0o666, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			data := filepath.Join(above, "data")
			must.Succeed(t, os.MkdirAll(data, 0o700))
			if !tt.folder {
				must.Succeed(t, os.WriteFile(filepath.Join(above, tt.path), nil, 0o600))
			}
			must.Succeed(t, os.Chmod(filepath.Join(above, tt.path), tt.mode))
			if err := (Paths{Data: data}).CheckData(); (err != nil) != tt.want {
				t.Errorf("error: %v", err)
			}
		})
	}
	if err := (Paths{Data: filepath.Join(t.TempDir(), "none")}).CheckData(); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
