package main

import (
	"fmt"
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

// sleepers are functions of tests that may sleep outside of a synctest bubble: none of them
// waits for something to happen, which a busy machine may not have done by then.
var sleepers = map[string]string{
	// The moment of a kill.
	"app/kill_unix_test.go Call":                                "a random moment",
	"app/kill_unix_test.go killAfter":                           "a random moment",
	"host/browser/kill_test.go TestTwentyRuns":                  "a slow server, and a random moment",
	"host/browser/process_test.go TestParentKilled":             "a moment while the browser starts or loads",
	"host/browser/chromium/sweep_test.go TestSweepBesideMakers": "a file is used for a moment",
	// Servers that are slow, which tests then wait for.
	"host/browser/site_test.go ServeHTTP":   "a slow page, and an endless one",
	"host/browser/download_test.go filesOf": "a download that breaks off later",
	// Pauses.
	"app/session/budget_test.go runBusyPage":             "until a page is quiet for a second",
	"host/browser/egress_test.go TestProxyIsTheBoundary": "clicks one after another",
	"host/wasm/hostile_test.go taken":                    "finalizers, before a measurement with room",
	// A time that is measured.
	"app/desktop/shell/window_idle_test.go idles":                                  "a minute in which nothing happens",
	"app/desktop/shell/window_display_test.go eventually":                          "a poll, of a display",
	"app/desktop/shell/window_activation_test.go TestWindowIgnoresActivationClick": "what must not happen",
}

// TestNoTestSleeps: tests wait in a synctest bubble, on channels, or with build/poll.
func TestNoTestSleeps(t *testing.T) {
	found := map[string]bool{}
	must.Succeed(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			for _, name := range sleepsOf(t, path, nil) {
				found[name] = true
			}
		}
		return nil
	}))
	for name := range found {
		if _, ok := sleepers[name]; !ok {
			t.Errorf("%s sleeps: use testing/synctest, a channel or errand/build/poll", name)
		}
	}
	for name := range sleepers {
		if !found[name] {
			t.Errorf("%s is in the list and does not sleep", name)
		}
	}
}

// sleepsOf lists the functions of a file that sleep, unless the file has a synctest bubble,
// in which sleeping takes no time. src is the file's text, or nil to read it.
func sleepsOf(t *testing.T, path string, src any) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
	must.Succeed(t, err)
	calls := func(n ast.Node, pkg, name string) (is bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == name {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
					is = true
				}
			}
			return !is
		})
		return is
	}
	if calls(file, "synctest", "Test") {
		return nil
	}
	var out []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && calls(f, "time", "Sleep") {
			out = append(out, fmt.Sprintf("%s %s", filepath.ToSlash(path), f.Name.Name))
		}
	}
	slices.Sort(out)
	return out
}

// TestSleepsAreFound shows that the test above can fail.
func TestSleepsAreFound(t *testing.T) {
	const head = "package p\nimport (\"time\"; \"testing/synctest\")\n"
	for _, tt := range []struct {
		name, src string
		want      int
	}{
		{"a sleep", "func TestA() { time.Sleep(1) }", 1},
		{"in a loop", "func TestA() { for ; ; time.Sleep(1) {} }", 1},
		{"in a goroutine", "func TestA() { go func() { time.Sleep(1) }() }", 1},
		{"as a value", "func TestA() { f := time.Sleep; f(1) }", 1},
		{"two functions", "func TestA() { time.Sleep(1) }\nfunc TestB() { time.Sleep(1) }", 2},
		{"none", "func TestA() { time.Now() }", 0},
		{"in a bubble", "func TestA() { synctest.Test(nil, func() { time.Sleep(1) }) }", 0},
	} {
		if got := sleepsOf(t, "a_test.go", head+tt.src); len(got) != tt.want {
			t.Errorf("%s: %v, want %d", tt.name, got, tt.want)
		}
	}
}
