package manifest_test

import (
	"fmt"
	"testing"

	"errand/build/must"
	"errand/host/wasm/manifest"
)

// TestUntrusted: what may come from outside is marked whatever the plugin says of
// itself, and a plugin can say it of more.
func TestUntrusted(t *testing.T) {
	const (
		hosts   = "hosts = [\"example.org\"]\n"
		folders = "[[paths]]\nroot = \"files.roots\"\n"
	)
	tests := []struct {
		name         string
		top, folders string
		class, says  string
		want         bool
	}{
		{"nothing of the outside", "", "", "read", "", false},
		{"a host", hosts, "", "read", "", true},
		{"a host, and it only sends", hosts, "", "write", "", true},
		{"a host, and it says that it is harmless", hosts, "", "read", "untrusted = false\n", true},
		{"reads files", "", folders, "read", "", true},
		{"writes files", "", folders, "write", "", false},
		{"writes files and tells what is in them", "", folders, "write", "untrusted = true\n", true},
		{"says so", "", "", "read", "untrusted = true\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			effect := map[string]string{"read": "read", "write": "commit"}[tt.class]
			text := fmt.Sprintf("schema = 1\nid = \"box\"\nversion = \"1.0.0\"\nmodule = \"box.wasm\"\nabi = \"extism\"\n%s%s"+
				"[[tool]]\nname = \"box.look\"\nfunction = \"look\"\ndescription = \"looks\"\nside_effect_class = %q\neffect = %q\n%s",
				tt.top, tt.folders, tt.class, effect, tt.says)
			m, err := manifest.Parse([]byte(text))
			must.Succeed(t, err)
			if got := m.Spec(m.Tools[0]).Untrusted; got != tt.want {
				t.Errorf("untrusted = %t, want %t", got, tt.want)
			}
		})
	}
}
