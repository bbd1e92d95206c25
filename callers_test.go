package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// TestOnlyTheUserGrants: only the commands, the window's API and the use case below
// them can make a grant. No plan, plugin, web page or other program leads there.
func TestOnlyTheUserGrants(t *testing.T) {
	onlyCalledIn(t, map[string][]string{"SaveGrant": {"app/grants/grants.go"}, "Grant": {"app/cli/policycmd/grants.go", "app/desktop/policy.go"}})
}

// TestOnlyTheUserInstalls: likewise for plugins.
func TestOnlyTheUserInstalls(t *testing.T) {
	const page = "app/desktop/plugins.go"
	onlyCalledIn(t, map[string][]string{
		"Install":   {"app/plugins/install.go", "app/cli/plugincmd/install.go", page},
		"Enable":    {"app/plugins/enable.go", "app/cli/plugincmd/enable.go", page},
		"Uninstall": {"app/cli/plugincmd/remove.go", page},
	})
}

// TestOneEntry: every origin runs its plans and tasks with the one engine of app/runs, and
// replays of records do too. Only the kit for plugins' authors calls tools without a run.
func TestOneEntry(t *testing.T) {
	onlyCalledIn(t, map[string][]string{
		"NewEngine": {"app/runs/gate.go"}, "NewDispatcher": {"app/runs/gate.go", "app/runs/page.go", "app/plugins/author/call.go"},
	})
}

// onlyCalledIn wants each method to be called in its files, and once in each.
func onlyCalledIn(t *testing.T, files map[string][]string) {
	t.Helper()
	const root = "."
	seen := map[string]int{}
	must.Succeed(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (slices.Contains(testOnly, "errand/"+filepath.ToSlash(rel)) || e.Name() == "node_modules" || e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && rel != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || files[f.Sel.Name] == nil {
				return true
			}
			seen[f.Sel.Name]++
			if !slices.Contains(files[f.Sel.Name], filepath.ToSlash(rel)) {
				t.Errorf("%s calls %s", rel, f.Sel.Name)
			}
			return true
		})
		return nil
	}))
	for name := range files {
		if seen[name] != len(files[name]) {
			t.Errorf("%s is called %d times", name, seen[name])
		}
	}
}
