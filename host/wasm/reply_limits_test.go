package wasm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/limit"
	"errand/host/wasm/manifest"
)

// The readers of what a plugin provides.
func readReply(b []byte) error   { _, err := decode(b); return err }
func readContent(b []byte) error { _, err := hypermcp.Read(b); return err }
func readTools(b []byte) error   { _, err := hypermcp.Tools(b); return err }
func readTOML(b []byte) error    { _, err := manifest.Parse(b); return err }

// repeat returns n texts, each made with its number.
func repeat(n int, text func(i int) string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = text(i)
	}
	return strings.Join(texts, ",")
}

func always(text string) func(int) string { return func(int) string { return text } }

const (
	limitHead = "schema = 1\nid = \"p\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n"
	limitTool = "[[tool]]\nname = \"p.t%d\"\nfunction = \"f\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\n"
)

// TestPluginLimits checks each limit of what a plugin provides: the last allowed length is
// accepted, and the error for one more names the field and the limit.
func TestPluginLimits(t *testing.T) {
	one := fmt.Sprintf(limitTool, 0)
	tool := func(n int, key string) string {
		return limitHead + one + key + " = [" + repeat(n, func(i int) string { return fmt.Sprintf(`"exists:f%d"`, i) }) + "]\n"
	}
	const speaks = "args_schema = '{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}'\n"
	x := func(n int) string { return strings.Repeat("x", n) }
	tested := map[limit.Limit]bool{}
	for _, tt := range []struct {
		name  string
		limit limit.Limit
		read  func([]byte) error
		of    func(n int) string
	}{
		{"facts", limit.Facts, readReply, func(n int) string {
			return `{"ok":true,"facts":[` + repeat(n, always(`"exists:/root/0/x"`)) + `]}`
		}},
		{"empty facts", limit.Facts, readReply, func(n int) string { return `{"ok":true,"facts":[` + repeat(n, always(`""`)) + `]}` }},
		{"facts of a failed call", limit.Facts, readReply, func(n int) string {
			return `{"ok":false,"error":{"code":"a"},"facts":[` + repeat(n, always(`""`)) + `]}`
		}},
		{"fact", limit.Fact, readReply, func(n int) string { return `{"ok":true,"facts":["` + x(n) + `"]}` }},
		{"facts together", limit.FactBytes, readReply, func(n int) string {
			const size = 4 << 10
			return `{"ok":true,"facts":[` + repeat(n/size+1, func(i int) string { return `"` + x(min(size, n-i*size)) + `"` }) + `]}`
		}},
		{"undo", limit.Undo, readReply, func(n int) string {
			return `{"ok":true,"undo":{"tool":"a.b","args":{"x":"` + x(n-len(`{"tool":"a.b","args":{"x":""}}`)) + `"}}}`
		}},
		{"content", limit.Content, readContent, func(n int) string { return `{"content":[` + repeat(n, always(`{"type":"text","text":""}`)) + `]}` }},
		{"content of a failed call", limit.Content, readContent, func(n int) string {
			return `{"isError":true,"content":[` + repeat(n, always(`{"type":"text","text":"x"}`)) + `]}`
		}},
		{"content beside a structure", limit.Content, readContent, func(n int) string {
			return `{"structuredContent":{},"content":[` + repeat(n, always(`{"type":"text","text":"x"}`)) + `]}`
		}},
		{"links", limit.Content, readContent, func(n int) string {
			return `{"content":[` + repeat(n, always(`{"type":"resource_link","uri":"x:y"}`)) + `]}`
		}},
		{"link", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource_link","uri":"` + x(n) + `"}]}`
		}},
		{"link's name", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource_link","uri":"x:y","name":"` + x(n) + `"}]}`
		}},
		{"link's title", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource_link","uri":"x:y","title":"` + x(n) + `"}]}`
		}},
		{"link's description", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource_link","uri":"x:y","description":"` + x(n) + `"}]}`
		}},
		{"picture's type", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"image","data":"eA==","mimeType":"` + x(n) + `"}]}`
		}},
		{"resource's address", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource","resource":{"uri":"` + x(n) + `","text":"x"}}]}`
		}},
		{"resource's type", limit.BlockField, readContent, func(n int) string {
			return `{"content":[{"type":"resource","resource":{"uri":"x:y","mimeType":"` + x(n) + `","blob":"eA=="}}]}`
		}},
		{"tools", limit.Tools, readTools, func(n int) string {
			return `{"tools":[` + repeat(n, func(i int) string { return fmt.Sprintf(`{"name":"t%d"}`, i) }) + `]}`
		}},
		{"tool's name", limit.ToolName, readTools, func(n int) string { return `{"tools":[{"name":"` + x(n) + `"}]}` }},
		{"schema", limit.InputSchema, readTools, func(n int) string {
			return `{"tools":[{"name":"a","inputSchema":{"title":"` + x(n-len(`{"title":""}`)) + `"}}]}`
		}},
		{"hosts", limit.Hosts, readTOML, func(n int) string {
			return limitHead + "hosts = [" + repeat(n, func(i int) string { return fmt.Sprintf(`"h%d.example"`, i) }) + "]\n" + one
		}},
		{"paths", limit.Paths, readTOML, func(n int) string {
			return limitHead + "paths = [" + repeat(n, func(i int) string { return fmt.Sprintf(`{root = "r%d"}`, i) }) + "]\n" + one
		}},
		{"config", limit.Config, readTOML, func(n int) string {
			return limitHead + "config = {" + repeat(n, func(i int) string { return fmt.Sprintf(`k%d = {type = "string"}`, i) }) + "}\n" + one
		}},
		{"hosts of a secret", limit.ConfigHosts, readTOML, func(n int) string {
			return limitHead + "[config.k]\ntype = \"secret\"\nhosts = [" + repeat(n, func(i int) string { return fmt.Sprintf(`"h%d.example"`, i) }) + "]\n" + one
		}},
		{"tools of a manifest", limit.ManifestTools, readTOML, func(n int) string {
			text := limitHead
			for i := range n {
				text += fmt.Sprintf(limitTool, i)
			}
			return text
		}},
		{"can_achieve", limit.CanAchieve, readTOML, func(n int) string { return tool(n, "can_achieve") }},
		{"requires", limit.Requires, readTOML, func(n int) string { return tool(n, "requires") }},
		{"effects", limit.Effects, readTOML, func(n int) string { return tool(n, "effects") }},
		{"writes", limit.Writes, readTOML, func(n int) string {
			properties := repeat(n, func(i int) string { return fmt.Sprintf(`"exists:f%d":{"type":"string","format":"path"}`, i) })
			return strings.Replace(tool(n, "writes"), limitHead, limitHead+"paths = [{root = \"r\", mode = \"rw\"}]\n", 1) +
				"args_schema = '{\"type\":\"object\",\"properties\":{" + properties + "}}'\n"
		}},
		{"argv", limit.Argv, readTOML, func(n int) string {
			return strings.NewReplacer(`abi = "extism"`, `abi = "wasi"`, "function = \"f\"\n", "").Replace(tool(n, "argv"))
		}},
		{"exit codes", limit.ExitCodes, readTOML, func(n int) string {
			return strings.NewReplacer(`abi = "extism"`, `abi = "wasi"`, "function = \"f\"\n", "").Replace(tool(1, "argv")) +
				"exit_codes = [" + repeat(n, func(i int) string { return fmt.Sprint(i%255 + 1) }) + "]\n"
		}},
		{"cases", limit.Cases, readTOML, func(n int) string {
			return limitHead + one + strings.Repeat("[[tool.case]]\nargs = {}\nerror = \"x\"\n", n)
		}},
		{"phrases", limit.Phrases, readTOML, func(n int) string {
			text := limitHead + one + speaks
			for i := range n {
				text += fmt.Sprintf("[[phrases]]\ntext = \"say w%d {text}\"\ntool = \"p.t0\"\n", i)
			}
			return text
		}},
		{"examples of a phrase", limit.PhraseExamples, readTOML, func(n int) string {
			return limitHead + one + speaks + "[[phrases]]\ntext = \"say {text}\"\ntool = \"p.t0\"\nexamples = [" + repeat(n, func(i int) string { return fmt.Sprintf(`"say hello%d"`, i) }) + "]\n"
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tested[tt.limit] = true
			if err := tt.read([]byte(tt.of(tt.limit.Most))); err != nil {
				t.Errorf("at the limit: %.300s", i18n.English().Error(err))
			}
			for _, n := range []int{tt.limit.Most + 1, 3 * tt.limit.Most} {
				err := tt.read([]byte(tt.of(n)))
				if err == nil {
					t.Errorf("%d: accepted", n)
					continue
				}
				text := i18n.English().Error(err)
				if want := fmt.Sprintf("%s has %d ", tt.limit.Field, n); !strings.Contains(text, want) || !strings.Contains(text, fmt.Sprintf("the limit is %d", tt.limit.Most)) {
					t.Errorf("%d: %.300s; want %q and the limit", n, text, want)
				}
			}
		})
	}
	for _, l := range limit.All {
		if !tested[l] {
			t.Errorf("no test of %q", l.Field)
		}
	}
}

// TestPreviewLimit: a preview's list that is too long counts as incomplete, so that every
// file may be replaced.
func TestPreviewLimit(t *testing.T) {
	for n, complete := range map[int]bool{limit.PreviewEntries: true, limit.PreviewEntries + 1: false} {
		b := must.JSON(t, map[string]any{"entries": slices.Repeat([]any{map[string]any{"name": "x"}}, n)})
		l, err := parseListing(b)
		if err != nil || l.isComplete() != complete || l.Count != n || len(l.files()) != limit.PreviewEntries {
			t.Errorf("%d entries: complete %v, count %d, %d files, %v", n, l.isComplete(), l.Count, len(l.files()), err)
		}
	}
}

// TestLimitsAreDocumented: docs/plugins.md has a row for each limit.
func TestLimitsAreDocumented(t *testing.T) {
	doc := must.ReadFile(t, "../../docs/plugins.md")
	for _, l := range limit.All {
		most := fmt.Sprint(l.Most, " items")
		if l.Bytes {
			most = fmt.Sprint(l.Most, " bytes")
		}
		if row := fmt.Sprintf("| `%s` | %s |", l.Field, most); !strings.Contains(string(doc), row) {
			t.Errorf("docs/plugins.md lacks the row %s", row)
		}
	}
}
