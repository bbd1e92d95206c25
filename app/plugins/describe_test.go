package plugins

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/app/config"
	"errand/build/must"
	"errand/host/wasm/install"
)

// TestDescribeWithoutSecrets: a module that lists its tools runs before the user agrees to
// anything, and sees no setting that is a secret or was one.
func TestDescribeWithoutSecrets(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".config", "errand", "errand.toml")
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must.Succeed(t, os.WriteFile(file, []byte("[plugins.gh.config]\ntoken = \"S3cret\"\nkey = \"S3cret\"\nunits = \"metric\"\n"), 0o600))
	conf, err := config.Load(config.Options{Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	lock := "version = 1\nplugin = []\n[secrets]\ngh = [\"token\"]\nother = [\"units\"]\n"
	must.Succeed(t, os.MkdirAll(conf.Paths.Data, 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(conf.Paths.Data, install.LockFile), []byte(lock), 0o600))
	i := &Installer{Set: New(Options{Config: conf, Now: time.Now})}
	for _, tt := range []struct {
		name string
		r    ModuleRequest
		want map[string]string
	}{
		{"a setting", ModuleRequest{Settings: []string{"units"}}, map[string]string{"units": "metric"}},
		{"a secret", ModuleRequest{Secrets: map[string][]string{"key": {"a.example"}}}, map[string]string{"key": "{{secret:key}}"}},
		{"a secret for no host", ModuleRequest{Secrets: map[string][]string{"key": nil}}, map[string]string{"key": "{{secret:key}}"}},
		{"a setting that was a secret", ModuleRequest{Settings: []string{"token", "units"}}, map[string]string{"token": "{{secret:token}}", "units": "metric"}},
		{"no value", ModuleRequest{Settings: []string{"lang"}, Secrets: map[string][]string{"pin": nil}}, map[string]string{}},
		{"not asked for", ModuleRequest{}, map[string]string{}},
	} {
		tt.r.ID = "gh"
		if got := i.settings(&tt.r); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
