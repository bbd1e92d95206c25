package cli

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"errand/build/must"
)

// clockModule is the hyper-mcp module of the script that installs one. Its tool "now" says that
// it only reads; its tool "set clock" does not say.
func clockModule(t *testing.T) string {
	t.Helper()
	script, err := txtar.ParseFile("testdata/script/installmcp.txtar")
	must.Succeed(t, err)
	for _, f := range script.Files {
		if f.Name == "clock.base64" {
			code, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(f.Data), "\n", ""))
			must.Succeed(t, err)
			return string(code)
		}
	}
	t.Fatal("the script has no module")
	return ""
}

// TestMarkedAtTheTerminal checks that the user sees each tool of a module with its class and
// marks the read-only ones before the rights are shown.
func TestMarkedAtTheTerminal(t *testing.T) {
	const question = "which of the tools that say nothing only read?"
	code := clockModule(t)
	silent := strings.Replace(code, `readOnlyHint":true`, `readOnlyHint":null`, 1)
	const plain, says = `"description":"Sets it","inputSchema":{"type":"object"}`, `"annotations":{"readOnlyHint":false}`
	changes := strings.Replace(silent, plain, says+strings.Repeat(" ", len(plain)-len(says)), 1)
	tests := []struct {
		name, module, typed string
		args                []string
		exit                int
		asks                bool
		reading             string // the tools that only read, of now and set-clock
	}{
		{"none", code, "\ny\n", nil, 0, true, "now"},
		{"one by Errand's name", code, "clock.set-clock\ny\n", nil, 0, true, "now set-clock"},
		{"several by the end of the name", silent, "now, set-clock\ny\n", nil, 0, true, "now set-clock"},
		{"one of two that say nothing", silent, "set-clock\ny\n", nil, 0, true, "set-clock"},
		{"then no to the whole", code, "set-clock\nn\n", nil, 5, true, ""},
		{"an unknown one", code, "reset\ny\n", nil, 2, true, ""},
		{"one that says that it changes something", changes, "set-clock\ny\n", nil, 2, true, ""},
		{"another than that", changes, "now\ny\n", nil, 0, true, "now"},
		{"by flag", code, "y\n", []string{"--reading", "set-clock"}, 0, false, "now set-clock"},
		{"none by flag", code, "y\n", []string{"--reading", ""}, 0, false, "now"},
		{"with --yes", code, "", []string{"--yes"}, 0, false, "now"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			file := filepath.Join(p.home, "clock.wasm")
			must.Succeed(t, os.WriteFile(file, []byte(tt.module), 0o600))
			exit, shown := p.types(t, tt.typed, append([]string{"plugin", "install", file, "--abi", "hyper-mcp", "--id", "clock"}, tt.args...)...)
			asked := strings.Index(shown, question)
			if exit != tt.exit || (asked >= 0) != tt.asks {
				t.Errorf("exit %d, want %d:\n%s", exit, tt.exit, shown)
			}
			if tt.asks && (!strings.Contains(shown[:asked], "  says nothing, so it counts as changing something") || strings.Contains(shown[:asked], "permissions")) {
				t.Errorf("the question does not follow the tools:\n%s", shown)
			}
			_, list := p.scripted(t, "tools")
			for _, name := range []string{"now", "set-clock"} {
				if reads := strings.Contains(strings.Join(strings.Fields(list), " "), "clock."+name+" read read"); reads != strings.Contains(" "+tt.reading+" ", " "+name+" ") {
					t.Errorf("clock.%s reads: %v, in\n%s", name, reads, list)
				}
			}
		})
	}
}
