package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// sleepers are functions of tests that may sleep, or wait at most some time of their own,
// outside of a synctest bubble: none of them fails because something has not happened by then,
// which a busy machine may not have done.
var sleepers = map[string]string{
	// The moment of a kill.
	"app/kill_unix_test.go Call":                                "a random moment",
	"app/kill_unix_test.go killAfter":                           "a random moment",
	"host/browser/kill_test.go TestTwentyRuns":                  "a slow server, and a random moment",
	"host/browser/process_test.go TestParentKilled":             "a moment while the browser starts or loads",
	"host/browser/chromium/sweep_test.go TestSweepBesideMakers": "a file is used for a moment",
	"build/soak/soak_linux_test.go killRepeatedly":              "a random moment",
	// Polls of what gives no other sign.
	"build/soak/load_linux_test.go work":                              "jobs in other programs",
	"app/cli/destructive_linux_test.go atTerminal":                    "it types again",
	"app/cli/signal_test.go TestSignalInterruptsInput":                "it sends a signal again",
	"host/browser/helpers_test.go load":                               "a poll of a page",
	"host/browser/waysout/control_test.go TestRoutesLeadOutUnguarded": "a poll of a site",
	"policy/quarantine/long_test.go TestMemoryIsBounded":              "it measures meanwhile",
	// Servers that are slow, which tests then wait for.
	"app/blocked_connections_test.go TestBlockedConnections":    "a request that the test ends, or a failed test",
	"host/browser/site_test.go ServeHTTP":                       "a slow page, and an endless one",
	"host/browser/download_test.go filesOf":                     "a download that breaks off later",
	"host/browser/foreign_download_test.go TestForeignDownload": "another request has the time to be first",
	"host/browser/obstacle_test.go TestObstacleThatPasses":      "a page that is slower than a check",
	"host/browser/open_test.go TestHostilePages":                "an endless page",
	// Pauses.
	"app/session/budget_test.go runBusyPage":             "until a page is quiet for a second",
	"host/browser/egress_test.go TestProxyIsTheBoundary": "clicks one after another",
	"host/wasm/hostile_test.go taken":                    "finalizers, before a measurement with room",
	// A time that is measured.
	"app/desktop/shell/window_idle_test.go idles":                                  "a minute in which nothing happens",
	"app/desktop/shell/window_process_test.go await":                               "the patience of these tests",
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

// sleepsOf lists the functions of a file that sleep, or wait for [time.After] with another
// limit than poll.Patience, unless the file has a synctest bubble,
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
		if f, ok := d.(*ast.FuncDecl); ok && (calls(f, "time", "Sleep") || waits(f)) {
			out = append(out, fmt.Sprintf("%s %s", filepath.ToSlash(path), f.Name.Name))
		}
	}
	slices.Sort(out)
	return out
}

// waits reports whether a function waits for [time.After] with another limit than
// poll.Patience.
func waits(n ast.Node) (is bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || types.ExprString(call.Fun) != "time.After" || len(call.Args) != 1 {
			return !is
		}
		is = is || types.ExprString(call.Args[0]) != "poll.Patience"
		return !is
	})
	return is
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
		{"an own limit", "func TestA() { select { case <-c: case <-time.After(5 * time.Second): } }", 1},
		{"a limit in a variable", "func TestA() { late := time.After(limit); <-late }", 1},
		{"patience", "func TestA() { select { case <-c: case <-time.After(poll.Patience): } }", 0},
		{"patience and another", "func TestA() { <-time.After(poll.Patience); <-time.After(1) }", 1},
		{"none", "func TestA() { time.Now() }", 0},
		{"in a bubble", "func TestA() { synctest.Test(nil, func() { time.Sleep(1) }) }", 0},
	} {
		if got := sleepsOf(t, "a_test.go", head+tt.src); len(got) != tt.want {
			t.Errorf("%s: %v, want %d", tt.name, got, tt.want)
		}
	}
}
