package config

import (
	"strings"
	"testing"

	"errand/app/i18n"
)

// TestToolServers reads [mcp.servers.NAME] and reports faults with their key and line.
func TestToolServers(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"a program", "[mcp.servers.a]\ncommand = [\"x\", \"y\"]\nenv = [\"TOKEN\"]\nfolders = [\"ro:~/a\", \"~/b\"]\nconfine = \"require\"", ""},
		{"a service", "[mcp.servers.a]\nurl = \"https://mcp.example.com/\"\nheader_env = { Authorization = \"TOKEN\", X-Key = \"secret:key\" }\ntools = [\"A_*\"]", ""},
		{"on this machine", "[mcp.servers.a]\nurl = \"http://127.0.0.1:8080/mcp\"", ""},
		{"neither", "[mcp.servers.a]\nenabled = false", "errand.toml:1: mcp.servers.a: "},
		{"both", "[mcp.servers.a]\ncommand = [\"x\"]\nurl = \"https://a.example\"", "errand.toml:1: mcp.servers.a: "},
		{"name", "[mcp.servers.A]\ncommand = [\"x\"]", "errand.toml:1: mcp.servers.A: "},
		{"unknown key", "[mcp.servers.a]\ncommand = [\"x\"]\nenviron = []", "errand.toml:3: mcp.servers.a.environ: "},
		{"no list", "[mcp.servers.a]\ncommand = \"x\"", "errand.toml:2: "},
		{"variable", "[mcp.servers.a]\ncommand = [\"x\"]\nenv = [\"A=b\"]", "errand.toml:3: mcp.servers.a.env[0]: "},
		{"a secret in a header", "[mcp.servers.a]\nurl = \"https://a.example\"\nheader_env = { Authorization = \"Bearer sk-Abc\" }", "errand.toml:3: mcp.servers.a.header_env.Authorization: "},
		{"header", "[mcp.servers.a]\nurl = \"https://a.example\"\nheader_env = { Host = \"TOKEN\" }", "errand.toml:3: mcp.servers.a.header_env: "},
		{"header of a program", "[mcp.servers.a]\ncommand = [\"x\"]\nheader_env = { A = \"TOKEN\" }", "errand.toml:3: mcp.servers.a.header_env: "},
		{"folders of a service", "[mcp.servers.a]\nurl = \"https://a.example\"\nfolders = [\"~/a\"]", "errand.toml:3: mcp.servers.a.folders: "},
		{"plain http", "[mcp.servers.a]\nurl = \"http://a.example\"", "errand.toml:2: mcp.servers.a.url: "},
		{"password", "[mcp.servers.a]\nurl = \"https://ann:pass@a.example\"", "errand.toml:2: mcp.servers.a.url: "},
		{"confine", "[mcp.servers.a]\ncommand = [\"x\"]\nconfine = \"no\"", "errand.toml:3: mcp.servers.a.confine: "},
		{"folder", "[mcp.servers.a]\ncommand = [\"x\"]\nfolders = [\"b\"]", "errand.toml:3: mcp.servers.a.folders[0]: "},
		{"Errand's own folder", "[mcp.servers.a]\ncommand = [\"x\"]\nfolders = [\"~\"]", "errand.toml:3: mcp.servers.a.folders[0]: "},
		{"pattern", "[mcp.servers.a]\ncommand = [\"x\"]\ntools = [\"\"]", "errand.toml:3: mcp.servers.a.tools[0]: "},
		{"time", "[mcp.servers.a]\ncommand = [\"x\"]\ntimeout_ms = -1", "errand.toml:3: mcp.servers.a.timeout_ms: "},
		{"phrase", "[mcp.servers.a]\ncommand = [\"x\"]\nphrases = [{ text = \"{a} b\", tool = \"t\" }]", "errand.toml:3: mcp.servers.a.phrases[0].text: "},
	} {
		_, err := loadAs(Options{File: "errand.toml", Env: []string{"HOME=/home/ann"}}, []byte(tt.doc))
		got := ""
		if err != nil {
			got = i18n.English().Error(err)
		}
		if !strings.HasPrefix(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if strings.Contains(got, "pass@") || strings.Contains(got, "sk-Abc") {
			t.Errorf("%s: the secret is shown: %s", tt.name, got)
		}
	}
}
