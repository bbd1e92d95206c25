package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"errand/app/rego/regotest"
	"errand/build/must"
	"errand/host/llm/llmtest"
	"errand/plugins"
)

func TestMain(m *testing.M) {
	program := func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		process := Process()
		if os.Getenv("ERRAND_TEST_PAGE") != "" {
			process.Page = fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Errand</title>")}}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code := Main(ctx, process)
		runtime.ReadMemStats(&after)
		if os.Getenv("ERRAND_TEST_ALLOCATED") != "" {
			fmt.Fprintln(os.Stderr, after.TotalAlloc-before.TotalAlloc)
		}
		stop()
		os.Exit(code)
	}
	if os.Getenv("ERRAND_AS_PROGRAM") != "" { // the test binary, started by a test as the program
		program()
	}
	os.Setenv("GORACE", raceOptions)
	os.Setenv("GOGC", fewCollections)
	testscript.Main(withCache{m}, map[string]func(){"errand": program})
}

// raceOptions avoid the second that the race detector waits at the end of each program.
const raceOptions = "atexit_sleep_ms=0"

// fewCollections lets the thousands of short programs that tests start collect garbage less often,
// which takes a fifth off their time.
const fewCollections = "400"

// cache is shared by the tests, so that a plugin is compiled once and not in each home.
var cache string

type withCache struct{ m *testing.M }

func (w withCache) Run() int {
	for _, own := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "DISPLAY", "WAYLAND_DISPLAY"} {
		os.Unsetenv(own) // programs that tests start must not use the developer's folders and screen
	}
	var err error
	if cache, err = os.MkdirTemp("", "errand-test-cache"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	return w.m.Run()
}

// TestScript runs the scripts in testdata/script: what a person types and what
// the program answers. The scripts know these commands beside testscript's own:
//
//	exits CODE errand …   the command ends with that exit code
//	json PATH VALUE       the JSON on standard output holds VALUE at PATH, such as result.plan.actions.0.tool
//	lacks PATH            the JSON on standard output has nothing at PATH
//	keep NAME PATH        what the JSON on standard output holds at PATH becomes the variable NAME
//	png PATH              the file that the JSON names at PATH is a picture
//	russian               the last command printed no English phrase
func TestScript(t *testing.T) {
	if _, err := plugins.BundledFolders(); err != nil {
		t.Fatal(err)
	}
	server, host, trusted, serve := serveScripts(t)
	models := llmtest.Start(t, answerScript)
	compiler := regotest.Compiler(t)
	commands := map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "json": jsonAt, "lacks": lacks, "keep": keep, "age": age, "png": png, "russian": russian,
	}
	maps.Copy(commands, pluginCommands)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("XDG_CACHE_HOME", cache)
			e.Setenv("XDG_DATA_DIRS", filepath.Join(home, "share")) // no app of this machine
			e.Setenv("GORACE", raceOptions)
			e.Setenv("GOGC", fewCollections)
			bin, _, _ := strings.Cut(e.Getenv("PATH"), string(filepath.ListSeparator))
			e.Setenv("BIN", bin) // where the program is, and no compiler
			for name, dir := range map[string]string{"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data"} {
				e.Setenv(name, filepath.Join(home, dir))
			}
			name := filepath.Base(e.WorkDir)
			serve(name, e.WorkDir)
			e.Setenv("SERVER", server+"/"+name)
			e.Setenv("SERVER_HOST", host)
			e.Setenv("LLM", models.URL)
			e.Setenv("ERRAND_REGO", compiler.Path)
			e.Setenv("SSL_CERT_FILE", trusted)
			must.ShareKey(t, filepath.Join(home, "data", "errand"))
			return os.MkdirAll(filepath.Join(home, "config", "errand"), 0o700)
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "browser":
				return hasBrowser()
			case "toolchain:c":
				return hasC()
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: commands,
	})
}

// hasBrowser lets scripts skip steps without Chromium, except in CI.
func hasBrowser() (bool, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return true, nil
		}
	}
	if os.Getenv("CI") == "true" {
		return false, errors.New("there is no browser: install chromium")
	}
	return false, nil
}

// needBrowser skips a test without Chromium, and fails it in CI.
func needBrowser(t *testing.T) {
	t.Helper()
	if ok, err := hasBrowser(); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip("needs Chromium")
	}
}

// hasC lets scripts skip steps without C for WebAssembly, except in CI.
func hasC() (bool, error) {
	for _, name := range []string{"clang", "clang-14"} {
		if _, err := exec.LookPath(name); err == nil {
			return true, nil
		}
	}
	if os.Getenv("CI") == "true" {
		return false, errors.New("there is no clang: install clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32")
	}
	return false, nil
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func jsonAt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	got, ok := lookup(ts, args[0])
	text, isText := got.(string)
	if !isText {
		b, err := json.Marshal(got)
		ts.Check(err)
		text = string(b)
	}
	if holds := ok && text == args[1]; holds == neg {
		ts.Fatalf("%s is %s, want %s%s", args[0], text, map[bool]string{true: "anything but "}[neg], args[1])
	}
}

func lacks(ts *testscript.TestScript, _ bool, args []string) {
	if v, ok := lookup(ts, args[0]); ok && v != nil {
		ts.Fatalf("%s is %v, want nothing", args[0], v)
	}
}

func keep(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: keep NAME PATH")
	}
	text, ok := lookup(ts, args[1])
	if !ok || text == nil || text == "" {
		ts.Fatalf("there is nothing at %s", args[1])
	}
	ts.Setenv(args[0], fmt.Sprint(text))
}

// age makes a file that many days old.
func age(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: age DAYS FILE")
	}
	days, err := strconv.Atoi(args[0])
	ts.Check(err)
	at := time.Now().AddDate(0, 0, -days)
	ts.Check(os.Chtimes(ts.MkAbs(args[1]), at, at))
}

func png(ts *testscript.TestScript, _ bool, args []string) {
	name, _ := lookup(ts, args[0])
	b, err := os.ReadFile(fmt.Sprint(name))
	ts.Check(err)
	if !strings.HasPrefix(string(b), "\x89PNG\r\n\x1a\n") || len(b) < 5000 {
		ts.Fatalf("%v: %d bytes are no picture of a page", name, len(b))
	}
}

// lookup returns the value at a path of keys and indices in the JSON on standard output. "len" is
// the number of elements.
func lookup(ts *testscript.TestScript, path string) (any, bool) {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("standard output is no JSON document: %v", err)
	}
	for part := range strings.SplitSeq(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			next, ok := node[part]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if part == "len" {
				v = len(node)
				continue
			}
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(node) {
				return nil, false
			}
			v = node[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// browserPath is the path of Chromium.
func browserPath(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	must.Succeed(t, err)
	return path
}
