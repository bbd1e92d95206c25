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

// TestOnlyTheUserGrants: only the commands, the window's API, the user's own chats and the use case below
// them can make a grant, also one that answers a question. No plan, plugin, web page or other program leads there.
func TestOnlyTheUserGrants(t *testing.T) {
	onlyCalledIn(t, map[string][]string{"SaveGrant": {"app/grants/grants.go"}, "Grant": {"app/cli/policycmd/grants.go", "app/desktop/policy.go", "app/grants/permit.go"}})
	want := []string{"app/cli/draftcmd/answer.go", "app/cli/print/permit.go", "app/cli/run.go", "app/desktop/drafts.go", "app/desktop/goal.go", "app/runs/access.go", "app/runs/answer.go", "app/telegram.go", "app/telegram/goal.go"}
	if got := usersOf(t, "Permit"); !slices.Equal(got, want) {
		t.Errorf("Permit is used in %q, want %q", got, want)
	}
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
		"NewEngine": {"app/runs/dispatcher.go"}, "NewDispatcher": {"app/runs/dispatcher.go", "app/runs/page.go", "app/plugins/author/call.go"},
	})
}

// onlyCalledIn wants each method to be called in its files, and once in each.
func onlyCalledIn(t *testing.T, files map[string][]string) {
	t.Helper()
	seen := map[string]int{}
	eachProductionFile(t, func(rel string, file *ast.File) {
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
			if !slices.Contains(files[f.Sel.Name], rel) {
				t.Errorf("%s calls %s", rel, f.Sel.Name)
			}
			return true
		})
	})
	for name := range files {
		if seen[name] != len(files[name]) {
			t.Errorf("%s is called %d times", name, seen[name])
		}
	}
}

// usersOf returns the files that call a method or pass it on, sorted.
func usersOf(t *testing.T, method string) []string {
	t.Helper()
	var users []string
	eachProductionFile(t, func(rel string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.SelectorExpr)
			if !ok || f.Sel.Name != method {
				return true
			}
			if x, ok := f.X.(*ast.Ident); (!ok || x.Name != "runs") && !slices.Contains(users, rel) { // not the type of that name
				users = append(users, rel)
			}
			return true
		})
	})
	slices.Sort(users)
	return users
}

// eachProductionFile parses every Go file that is not only for tests. rel is its path with slashes.
func eachProductionFile(t *testing.T, visit func(rel string, file *ast.File)) {
	t.Helper()
	must.Succeed(t, filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		rel := filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (slices.Contains(testOnly, "errand/"+rel) || e.Name() == "node_modules" || e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && rel != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		visit(rel, file)
		return nil
	}))
}
