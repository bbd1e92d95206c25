package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/build/must"
)

// ours are members of a free type whose values Errand makes itself, with messages
// in them, or which no face shows.
var ours = map[string]string{
	"app/cli/draftcmd properties":   "read from a schema, to list its names",
	"app/cli status":                "a word",
	"app/history error":             "an error's class, code and message",
	"app/history interpretation":    "as in host/trace",
	"app/history result":            "as in host/trace",
	"app/history/bundle setting":    "as in host/trace",
	"app/plancheck capabilities":    "read from a file of cases",
	"app/plancheck case":            "read from a file of cases",
	"app/plancheck goals":           "read from a file of cases",
	"host/telegram result":          "an answer of Telegram, which is decoded at once",
	"app/servers properties":        "read from a schema, to list its names",
	"app/setting base":              "parts of a setting",
	"app/setting own":               "parts of a setting",
	"app/setting recipe_source":     "recipe.Source",
	"app/setting state":             "facts of the world, which are words",
	"host/browser":                  "what Chromium says",
	"host/llm":                      "what a provider of a model says and is told",
	"host/mcp/client annotations":   "the definition of a tool, which is compared and shown as text",
	"host/mcp/client inputSchema":   "the definition of a tool, which is compared and shown as text",
	"host/store plan":               "plan.Plan",
	"host/store shown":              "plan.Plan",
	"host/tool properties":          "read from a schema, to list its names",
	"host/trace data":               "events, which the program makes",
	"host/trace interpretation":     "planning.Interpretation",
	"host/trace result":             "plan.Result",
	"host/trace setting":            "setting.Setting",
	"host/wasm/manifest properties": "read from a schema, to list its names",
	"host/wasm properties":          "read from a schema, to list its names",
	"host/wasm params":              "texts of bundled plugins, which become messages",
	"host/wasm texts":               "texts of bundled plugins, which become messages",
	"host/wasm/extism":              "what a plugin asks of its host",
	"host/wasm/hypermcp":            "what a plugin says",
	"planner/message params":        "parameters",
}

// TestForeignMembers: a member of a free type, such as any or json.RawMessage, is in
// foreign or in ours. And no struct has a member that JSON adds to a message.
func TestForeignMembers(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"../../app", "../../host", "../../planner", "../../policy"} {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && filepath.ToSlash(file) == "../../app/desktop/view": // view.Say says its messages
				return filepath.SkipDir
			case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_")):
				return filepath.SkipDir
			case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
				return nil
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../")
			ast.Inspect(parsed, func(n ast.Node) bool {
				s, ok := n.(*ast.StructType)
				if !ok {
					return true
				}
				members := jsonMembers(s)
				for _, name := range slices.Sorted(maps.Keys(members)) {
					kind := members[name]
					switch {
					case kind == "free" && slices.Contains(foreign, name):
						used[name] = true
					case kind == "free" && isOurs(dir, name, used):
					case kind == "free":
						t.Errorf("%s: %q holds any JSON: add it to foreign if its values come from outside, else to ours (%q)", file, name, dir+" "+name)
					case kind == "message" && slices.Contains(foreign, name):
						t.Errorf("%s: %q is a message and is in foreign", file, name)
					case kind == "message":
						if members[name+"_code"] != "" || members[name+"_params"] != "" || name == "message" && members["params"] != "" {
							t.Errorf("%s: JSON adds members to %q that the struct has", file, name)
						}
					}
				}
				return true
			})
			return nil
		})
		must.Succeed(t, err)
	}
	for _, name := range slices.Concat(foreign, slices.Collect(maps.Keys(ours))) {
		if !used[name] {
			t.Errorf("%q is no member of a free type any more", name)
		}
	}
}

// isOurs looks up a member, its package or a package above, and notes what it found.
func isOurs(dir, name string, used map[string]bool) bool {
	keys := []string{dir + " " + name}
	for ; dir != "."; dir = path.Dir(dir) {
		keys = append(keys, dir)
	}
	for _, key := range keys {
		if ours[key] != "" {
			used[key] = true
			return true
		}
	}
	return false
}

// jsonMembers returns the names of a struct's members in JSON, each with its kind:
// free, message or other.
func jsonMembers(s *ast.StructType) map[string]string {
	members := map[string]string{}
	for _, field := range s.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		members[name] = kindOf(field.Type)
	}
	return members
}

func kindOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "any" {
			return "free"
		}
	case *ast.InterfaceType:
		return "free"
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "RawMessage":
			return "free"
		case "Message":
			return "message"
		}
	case *ast.StarExpr:
		return kindOf(e.X)
	case *ast.ArrayType:
		return kindOf(e.Elt)
	case *ast.MapType:
		return kindOf(e.Value)
	}
	return "other"
}
