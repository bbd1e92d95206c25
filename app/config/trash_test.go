//go:build linux

package config

import "testing"

// TestTrashFollowsTheEnvironment: the trash is that of the environment that the program was
// opened with, like every other folder, and not that of the process.
func TestTrashFollowsTheEnvironment(t *testing.T) {
	t.Setenv("HOME", "/process")
	t.Setenv("XDG_DATA_HOME", "/process/data")
	for name, tt := range map[string]struct {
		env  map[string]string
		want string
	}{
		"home":                       {map[string]string{"HOME": "/h"}, "/h/.local/share/Trash"},
		"data folder":                {map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/d"}, "/d/Trash"},
		"data folder, not home":      {map[string]string{"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k"}, "/d/Trash"},
		"relative data folder":       {map[string]string{"HOME": "/h", "XDG_DATA_HOME": "d"}, "/h/.local/share/Trash"},
		"empty data folder":          {map[string]string{"HOME": "/h", "XDG_DATA_HOME": ""}, "/h/.local/share/Trash"},
		"other folders do not count": {map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k"}, "/h/.local/share/Trash"},
	} {
		p, err := places(tt.env)
		if err != nil || p.Trash != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, p.Trash, err, tt.want)
		}
	}
	if p, err := places(map[string]string{}); err == nil {
		t.Errorf("without a home: %+v", p)
	}
}
