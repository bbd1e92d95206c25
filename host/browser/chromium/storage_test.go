package chromium

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/tool"
)

// TestFullProfile checks that a profile which is larger than the limit is refused before a
// browser starts, and that it can be used again once it is smaller.
func TestFullProfile(t *testing.T) {
	profiles := Profiles{Dir: filepath.Join(t.TempDir(), "profiles")}
	file := filepath.Join(profiles.Dir, "work", "data", "Default", "x")
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
	for _, tt := range []struct {
		name    string
		size    int64
		limit   int64 // 0: the default
		profile string
		full    bool
	}{
		{"over the default limit", MaxProfile + 1, 0, "work", true},
		{"again", MaxProfile + 1, 0, "work", true},
		{"another profile", MaxProfile + 1, 0, "other", false},
		{"no profile", MaxProfile + 1, 0, "", false},
		{"over a limit", 2 << 20, 1 << 20, "work", true},
		{"below the limit", 1 << 20, 0, "work", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must.Succeed(t, os.WriteFile(file, nil, 0o600))
			must.Succeed(t, os.Truncate(file, tt.size))
			i, err := claim(Options{Dir: t.TempDir(), Profile: tt.profile, Profiles: profiles, MaxProfile: tt.limit})
			if err == nil {
				must.Succeed(t, i.removeFolders())
			}
			if full := err != nil && tool.AsError(err).Code == "browser_storage_full" && !tool.AsError(err).Hint.IsZero(); full != tt.full || (err == nil) == tt.full {
				t.Errorf("%v", err)
			}
		})
	}
}
