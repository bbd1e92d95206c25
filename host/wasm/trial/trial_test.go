package trial_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	_ "github.com/extism/go-sdk" // its test plugins are found through the module cache

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/manifest"
	"errand/host/wasm/trial"
)

var sdk = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	return strings.TrimSpace(string(out)), err
})

// rogue is a command that does what its tool's name says.
var rogue = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "rogue")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(dir, "rogue.wasm"), "../testdata/guests/rogue")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %s", err, out)
	}
	return os.ReadFile(filepath.Join(dir, "rogue.wasm"))
})

// plugin is a folder with one of the SDK's modules, or the rogue.
func plugin(t *testing.T, module, doc string) fstest.MapFS {
	t.Helper()
	code, err := rogue()
	if module != "rogue.wasm" {
		var dir string
		if dir, err = sdk(); err == nil {
			code, err = os.ReadFile(filepath.Join(dir, "wasm", module))
		}
	}
	must.Succeed(t, err)
	return fstest.MapFS{
		"plugin.toml": {Data: []byte("schema = 1\nversion = \"1\"\nmodule = \"m.wasm\"\n" + doc)},
		"m.wasm":      {Data: code},
	}
}

// differences are those of the outcomes, by case.
// difference is a trial.Diff in English.
type difference struct{ Field, Want, Got string }

func differences(outcomes []trial.Outcome) map[string][]difference {
	all := map[string][]difference{}
	for _, o := range outcomes {
		all[o.Case] = []difference{}
		for _, d := range o.Diffs {
			all[o.Case] = append(all[o.Case], difference{d.Field, d.Want, i18n.English().Text(d.Got)})
		}
	}
	return all
}

const tool = `description = "d"
side_effect_class = "write"
effect = "file"
args_schema = '{"type":"object","properties":{"path":{"type":"string"},"n":{"type":"integer"}}}'
`

// TestCases: what a case gives is what the plugin gets, and each begins anew.
func TestCases(t *testing.T) {
	fsys := plugin(t, "rogue.wasm", `id = "rogue"
abi = "wasi"
[[paths]]
root = "files.roots"
mode = "rw"
[config.times]
type = "int"
default = 1
[[tool]]
name = "rogue.echo"
`+tool+`
[[tool.case]]
name = "settings and arguments"
args = { path = "{{root}}/a", n = 3 }
config = { times = 7 }
payload = { tool = "rogue.echo", args = { path = "{{root}}/a", n = 3 }, config = { times = 7 }, call_id = "a1", idempotency_key = "case:a1" }
[[tool.case]]
name = "defaults, and a difference in a list of them"
payload = { tool = "rogue.echo", args = { n = 1 }, config = { times = 1, more = [1] }, call_id = "a1" }
[[tool.case]]
name = "refused by the schema"
args = { n = "three" }
error = "invalid_args"
[[tool.case]]
name = "outside of the folder"
args = { path = "/etc/passwd" }
error = "path_outside_roots"

[[tool]]
name = "rogue.read"
`+tool+`
[[tool.case]]
name = "a file"
args = { path = "{{root}}/notes/a.txt" }
files = { "notes/a.txt" = "content" }
payload = { content = "content", error = "<nil>" }
[[tool.case]]
name = "the file is gone"
args = { path = "{{root}}/notes/a.txt" }
payload = { content = "", error = "open {{root}}/notes/a.txt: No such file or directory" }

[[tool]]
name = "rogue.no"
`+tool+`
[[tool.case]]
name = "another error"
error = "free"
[[tool.case]]
name = "an error instead of a payload"
payload = { a = 1 }

[[tool]]
name = "rogue.say"
`+strings.Replace(tool, `"n":`, `"answer":{"type":"string"},"n":`, 1)+`
[[tool.case]]
name = "a long id"
args = { answer = '{"ok":true,"payload":9007199254740993}' }
payload = 9007199254740993
[[tool.case]]
name = "its neighbour"
args = { answer = '{"ok":true,"payload":9007199254740993}' }
payload = 9007199254740992

[[tool]]
name = "rogue.exit"
`+tool+`
[[tool.case]]
error = "plugin_exited"

[[tool]]
name = "rogue.dir"
`+tool+`
[[tool.case]]
name = "a payload instead of an error"
args = { path = "{{root}}" }
error = "busy"
`)
	outcomes, err := trial.Run(t.Context(), fsys, trial.Options{})
	must.Succeed(t, err)
	want := map[string][]difference{
		"settings and arguments": {},
		"defaults, and a difference in a list of them": {
			{Field: "payload.args.n", Want: "1"},
			{Field: "payload.config.more", Want: "[1]"},
			{Field: "payload.idempotency_key", Got: `"case:a1"`},
		},
		"refused by the schema": {},
		"outside of the folder": {},
		"a file":                {},
		"another error":         {{Field: "error", Want: "free", Got: "busy: the printer in ROOT/printer is busy"}},
		"an error instead of a payload": {
			{Field: "payload", Want: `{"a":1}`},
			{Field: "error", Got: "busy: the printer in ROOT/printer is busy"},
		},
		"a long id":     {},
		"its neighbour": {{Field: "payload", Want: "9007199254740992", Got: `"9007199254740993"`}},
		"case 1":        {},
		"a payload instead of an error": {
			{Field: "error", Want: "busy"},
			{Field: "payload", Got: `{"error":"<nil>","names":[]}`},
		},
	}
	got := differences(outcomes)
	gone := got["the file is gone"]
	delete(got, "the file is gone")
	if len(gone) > 0 && !strings.Contains(gone[0].Got, "No such file") {
		t.Errorf("the file of the case before: %+v", gone)
	}
	for _, diffs := range got {
		for i, d := range diffs {
			if _, after, ok := strings.Cut(d.Got, "printer in "); ok {
				diffs[i].Got = strings.Replace(d.Got, strings.TrimSuffix(after, "/printer is busy"), "ROOT", 1)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if o := outcomes[len(outcomes)-2]; len(o.Logs) != 1 || o.Logs[0].Message.String() != "giving up" {
		t.Errorf("log of %s: %+v", o.Tool, o.Logs)
	}
}

const fetch = `id = "web"
abi = "extism"
hosts = ["example.com", "*.example.com"]
[[tool]]
name = "web.headers"
function = "http_get"
description = "d"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object","properties":{"url":{"type":"string"}}}'
`

// TestReplay: recorded answers stand in place of the network, and nothing else
// does.
func TestReplay(t *testing.T) {
	fsys := plugin(t, "http_headers.wasm", fetch+`
[[tool.case]]
name = "recorded"
args = { url = "https://example.com/a" }
payload = { content-type = "text/plain", link = "x" }
http = [{ url = "https://example.com/a", headers = { Content-Type = "text/plain", link = "x" }, body = "hello" }]
[[tool.case]]
name = "a redirect is two requests"
args = { url = "https://example.com/a" }
payload = { etag = "1" }
http = [
  { url = "https://example.com/a", status = 302, headers = { location = "https://www.example.com/b" } },
  { url = "https://www.example.com/b", headers = { etag = "1" } },
]
[[tool.case]]
name = "not recorded"
args = { url = "https://example.com/other" }
error = "http_failed"
http = [{ url = "https://example.com/a" }]
[[tool.case]]
name = "recorded is not allowed"
args = { url = "https://elsewhere.example/" }
error = "host_denied"
[[tool.case]]
name = "a redirect to where it may not go"
args = { url = "https://example.com/a" }
error = "host_denied"
http = [{ url = "https://example.com/a", status = 302, headers = { location = "https://elsewhere.example/" } }]
`)
	outcomes, err := trial.Run(t.Context(), fsys, trial.Options{})
	must.Succeed(t, err)
	want := map[string][]difference{
		"recorded":                          {},
		"a redirect is two requests":        {},
		"not recorded":                      {{Field: "http", Want: "GET https://example.com/a", Got: "the request was not made"}},
		"recorded is not allowed":           {},
		"a redirect to where it may not go": {},
	}
	if diff := cmp.Diff(want, differences(outcomes)); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

// TestRecord: what is recorded is what replays, without what differs each time.
func TestRecord(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/binary":
			w.Write([]byte{0xff, 0xfe})
		case "/long":
			w.Write(make([]byte, 300<<10))
		default:
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Set-Cookie", "secret=1")
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprint(w, "short and stout")
		}
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	must.Succeed(t, err)
	fsys := plugin(t, "http_headers.wasm", fetch+`
[[tool.case]]
name = "text"
args = { url = "http://example.com/a" }
payload = {}
[[tool.case]]
name = "binary"
args = { url = "http://example.com/binary" }
error = "http_failed"
[[tool.case]]
name = "long"
args = { url = "http://example.com/long" }
error = "http_failed"
`)
	outcomes, err := trial.Run(t.Context(), fsys, trial.Options{Record: func(string, []string) *http.Client {
		return &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(address)}}
	}})
	must.Succeed(t, err)
	want := []manifest.Exchange{{
		Method: "GET", URL: "http://example.com/a", Status: http.StatusTeapot,
		Headers: map[string]string{"content-type": "text/plain"}, Body: "short and stout",
	}}
	if diff := cmp.Diff(want, outcomes[0].Recorded); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
	for i, say := range []string{1: "is not text", 2: "longer than"} {
		if o := outcomes[i]; say != "" && (o.HasPassed() || !strings.Contains(i18n.English().Text(o.Diffs[0].Got), say)) {
			t.Errorf("%s: %+v", o.Case, o.Diffs)
		}
	}
}

// TestState: a plugin that keeps state between calls starts each case without.
func TestState(t *testing.T) {
	fsys := plugin(t, "count_vowels.wasm", `id = "vowels"
abi = "extism"
state = "sticky"
[[tool]]
name = "vowels"
function = "count_vowels"
description = "d"
side_effect_class = "read"
effect = "read"
`+strings.Repeat(`[[tool.case]]
payload = { count = 0, total = 0, vowels = "aeiouAEIOU" }
`, 2))
	outcomes, err := trial.Run(t.Context(), fsys, trial.Options{})
	must.Succeed(t, err)
	for _, o := range outcomes {
		if !o.HasPassed() {
			t.Errorf("%s: %+v", o.Case, o.Diffs)
		}
	}
	only, err := trial.Run(t.Context(), fsys, trial.Options{Selects: func(_, title string) bool { return title == "case 2" }})
	if err != nil || len(only) != 1 || only[0].Number != 1 {
		t.Errorf("only one: %+v, %v", only, err)
	}
}

// TestFixedClock: a case says when it plays. A sleep moves the clock on and takes
// none of the time that there is.
func TestFixedClock(t *testing.T) {
	fsys := plugin(t, "rogue.wasm", `id = "rogue"
abi = "wasi"
[limits]
timeout_ms = 20000
[[tool]]
name = "rogue.clock"
description = "d"
side_effect_class = "read"
effect = "read"
`+strings.Repeat(`[[tool.case]]
now = "2026-03-01T12:00:00Z"
payload = { before = "2026-03-01T12:00:00Z", after = "2026-03-01T13:00:00Z", slept = "1h0m0s" }
`, 2))
	outcomes, err := trial.Run(t.Context(), fsys, trial.Options{})
	must.Succeed(t, err)
	for _, o := range outcomes {
		if !o.HasPassed() {
			t.Errorf("%s: %+v", o.Case, o.Diffs)
		}
	}
}

func TestNotAPlugin(t *testing.T) {
	if _, err := trial.Run(t.Context(), fstest.MapFS{}, trial.Options{}); err == nil {
		t.Error("an empty folder was tested")
	}
}
