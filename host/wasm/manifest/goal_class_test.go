package manifest_test

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/manifest"
)

// TestClassOfGoals checks that a tool that only reads is refused if it stands for goals that
// change something, whatever the interface of its plugin is.
func TestClassOfGoals(t *testing.T) {
	const text = `schema = 1
id = "aaa"
version = "1"
module = "m.wasm"
abi = "ABI"
[[tool]]
name = "aaa.x"
function = "FUNCTION"
description = "d"
side_effect_class = "CLASS"
effect = "EFFECT"
can_achieve = ["KEYS"]
args_schema = '{"type": "object"}'
`
	for _, abi := range []string{"wasi", "extism", "hyper-mcp"} {
		for _, tt := range []struct {
			class, effect, keys string
			refused             string
		}{
			{"read", "read", `file_operation", "delete_folder`, "delete_folder"},
			{"read", "navigate", `browser_navigate", "app_launch`, "app_launch"},
			{"read", "read", "create_file", "create_file"},
			{"read", "read", "move_folder", "move_folder"},
			{"read", "read", "download_file", "download_file"},
			{"read", "read", "empty_trash", "empty_trash"},
			{"read", "read", "open_external", "open_external"},
			{"read", "read", "save_copy", "save_copy"},
			{"read", "read", `file_operation", "list_folder`, ""},
			{"read", "navigate", "browser_search", ""},
			{"read", "read", "hash_known", ""},
			{"write", "file", `file_operation", "delete_folder`, ""},
			{"write", "commit", "app_launch", ""},
		} {
			function := "x"
			if abi == "wasi" {
				function = ""
			}
			_, err := manifest.Parse([]byte(strings.NewReplacer("ABI", abi, "FUNCTION", function, "CLASS", tt.class, "EFFECT", tt.effect, "KEYS", tt.keys).Replace(text)))
			want := ""
			if tt.refused != "" {
				want = `plugin.toml:12: tool aaa.x: goals with "` + tt.refused + `" change something; side_effect_class must be write`
			}
			got := ""
			if err != nil {
				got = i18n.English().Error(err)
			}
			if got != want {
				t.Errorf("%s, %s %s: %q, want %q", abi, tt.class, tt.keys, got, want)
			}
		}
	}
}
