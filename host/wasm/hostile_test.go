package wasm_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/build/tier"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// hostile are the functions of testdata/guests/hostile and what each ends with.
var hostile = []struct {
	function string
	class    tool.Class
	code     string
	says     string // limit, value, or what raises it
}{
	{"loop", tool.ToolTimeout, "deadline_exceeded", "--timeout"},
	{"tree", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"recurse", tool.ExecutionError, "depth_limit", "MiB"},
	{"forks", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"divide", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"fill", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"copy", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"miss", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"grow", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"allocs", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"resets", tool.ToolTimeout, "deadline_exceeded", "50ms"},
	{"logs", tool.ExecutionError, "log_lines_limit", "1000"},
	{"output", tool.ExecutionError, "output_limit", "1MiB"},
	{"vars", tool.ExecutionError, "vars_limit", "1MiB"},
	{"trap", tool.ExecutionError, "plugin_trap", "unreachable"},
}

// TestHostileGuests: each is stopped with a typed error that names the limit,
// and the next call of the same plugin begins where every call begins.
func TestHostileGuests(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, state := range []manifest.State{manifest.Fresh, manifest.Sticky} {
		within := func(timeout time.Duration) *wasm.Session {
			return session(t, h, guest(t, "hostile"), state, wasm.CallOptions{Timeout: timeout, Memory: 32 << 20, Output: 1 << 20})
		}
		hasty, patient := within(50*time.Millisecond), within(time.Minute)
		for _, tt := range hostile {
			t.Run(string(state)+"/"+tt.function, func(t *testing.T) {
				s := hasty
				if tt.code != "deadline_exceeded" { // another limit comes first, on a busy machine as well
					s = patient
				}
				out, err := s.Call(t.Context(), tt.function, nil)
				wantError(t, err, tt.class, tt.code)
				if e := tool.AsError(err); !strings.Contains(i18n.English().Text(e.Message)+i18n.English().Text(e.Hint), tt.says) {
					t.Errorf("%q (%q) does not say %q", i18n.English().Text(e.Message), i18n.English().Text(e.Hint), tt.says)
				}
				if tt.code == "deadline_exceeded" && out.Fuel == 0 {
					t.Error("the fuel it used is not told")
				}
				if out, err := s.Call(t.Context(), "good", nil); err != nil || out.ExitCode != 0 {
					t.Errorf("the next call: %d, %v", out.ExitCode, err)
				}
			})
		}
		// The caller's own end is told apart from the limit.
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		_, err := patient.Call(ctx, "loop", nil)
		wantError(t, err, tool.ExecutionError, "interrupted")
	}
}

// TestCancelBeforeTheFunction cancels calls at every check before the plugin's function
// runs, for example while the memory grows for the input.
func TestCancelBeforeTheFunction(t *testing.T) {
	h := newHost(t, wasm.Options{})
	s := session(t, h, guest(t, "hostile"), manifest.Fresh, wasm.CallOptions{Timeout: time.Minute, Memory: 64 << 20})
	input := make([]byte, 16<<20)
	succeeded := false
	for checks := int64(1); checks < 200 && !succeeded; checks++ {
		ctx := &cancelAfter{Context: t.Context()}
		ctx.left.Store(checks)
		_, err := s.Call(ctx, "good", input)
		if succeeded = err == nil; !succeeded {
			wantError(t, err, tool.ExecutionError, "interrupted")
		}
	}
	if !succeeded {
		t.Error("no call succeeded")
	}
}

// cancelAfter is a context that is canceled after a number of calls of Err.
type cancelAfter struct {
	context.Context
	left atomic.Int64
}

func (c *cancelAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestFuelLimit checks that a budget stops a guest at the same instruction each time.
func TestFuelLimit(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, budget := range []int64{1000, 3_000_000} {
		s := session(t, h, guest(t, "hostile"), manifest.Fresh, wasm.CallOptions{Fuel: budget})
		var first uint64
		for n := range 20 {
			out, err := s.Call(t.Context(), "loop", nil)
			wantError(t, err, tool.ExecutionError, "fuel_limit")
			if !strings.Contains(i18n.English().Error(err), fmt.Sprint(budget)) {
				t.Errorf("%q does not name the limit", err)
			}
			if n == 0 {
				first = out.Fuel
			}
			if out.Fuel != first || out.Fuel < uint64(budget) || out.Fuel > uint64(budget)+1000 {
				t.Fatalf("call %d used %d, the first %d, of a budget of %d", n, out.Fuel, first, budget)
			}
		}
		if out, err := s.Call(t.Context(), "good", nil); err != nil || out.ExitCode != 0 {
			t.Errorf("the next call: %d, %v", out.ExitCode, err)
		}
	}
}

// TestSameEachTime: with fresh state a thousand calls use the same fuel to the
// unit, answer the same bytes, and leave nothing for the next.
func TestSameEachTime(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, g := range []struct{ guest, function, input string }{
		{"pdk-go", "run", "ann"},
		{"pdk-as", "run", "ann"},
		{"raw-rust", "run", "ann"},
		{"raw-c", "run", "ann"},
		{"wasi-c", "_start", `{"tool":"w","args":{"text":"ann"}}`},
		{"hostile", "good", ""},
		{"count_vowels.wasm", "count_vowels", "hello world"},
	} {
		t.Run(g.guest, func(t *testing.T) {
			m := wasm.Module{}
			if strings.HasSuffix(g.guest, ".wasm") {
				m = fixture(t, g.guest)
			} else {
				m = guest(t, g.guest)
			}
			s := session(t, h, m, manifest.Fresh, wasm.CallOptions{})
			var first wasm.Output
			for n := range tier.Size(100, 1000) {
				out, err := s.Call(t.Context(), g.function, []byte(g.input))
				must.Succeed(t, err)
				if n == 0 {
					first = out
				}
				if string(out.Data) != string(first.Data) || out.ExitCode != first.ExitCode || out.Fuel != first.Fuel || !out.Error.Equal(first.Error) {
					t.Fatalf("call %d: %q, code %d, fuel %d; the first: %q, code %d, fuel %d",
						n, out.Data, out.ExitCode, out.Fuel, first.Data, first.ExitCode, first.Fuel)
				}
			}
			if strings.Contains(string(first.Data), "calls ") && !strings.Contains(string(first.Data), "var 1, calls 1") {
				t.Errorf("the first call is not the first: %q", first.Data)
			}
			if standing, err := s.InstanceState(t.Context()); err != nil || !standing.NotShared.IsZero() {
				t.Errorf("it is not put back but made anew: %+v, %v", standing, err)
			}
		})
	}
}

// TestSideBySide: ten thousand calls by sixteen callers, each of whom gets the
// answer to his own input and the fuel of a first call.
func TestSideBySide(t *testing.T) {
	h := newHost(t, wasm.Options{})
	s := session(t, h, guest(t, "pdk-go"), manifest.Fresh, wasm.CallOptions{})
	want, err := s.Call(t.Context(), "run", []byte("000"))
	must.Succeed(t, err)
	var wg sync.WaitGroup
	for caller := range 16 {
		wg.Go(func() {
			for n := range tier.Size(1_600, 10_000) / 16 {
				input := fmt.Sprintf("%03d", (caller*1000+n)%1000)
				out, err := s.Call(t.Context(), "run", []byte(input))
				if err != nil || string(out.Data) != strings.Replace(string(want.Data), "000", input, 1) || out.Fuel != want.Fuel {
					t.Errorf("%s: %q, fuel %d, %v; want fuel %d", input, out.Data, out.Fuel, err, want.Fuel)
					return
				}
				if n%100 == 0 && caller%4 == 0 { // a failure beside them harms nobody
					if _, err := s.Call(t.Context(), "run", []byte("fail")); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestReentry: a plugin that has its host call it again, by its log or by its
// requests, is ended by its own limits, and is as it was after that.
func TestReentry(t *testing.T) {
	for _, state := range []string{"fresh", "sticky"} {
		for _, way := range []string{"run", "fetch"} {
			t.Run(state+"/"+way, func(t *testing.T) {
				var again atomic.Pointer[tool.Tool]
				var server *httptest.Server
				var depth, most atomic.Int32
				enter := func() {
					if tl := again.Load(); tl != nil {
						if n := depth.Add(1); n > most.Load() {
							most.Store(n)
						}
						defer depth.Add(-1)
						r, err := (*tl).Call(context.Background(), tool.Call{Tool: "again.again", Args: map[string]any{}})
						if err == nil && r.OK && depth.Load() > 30 {
							t.Error("it went on for ever")
						}
					}
				}
				server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { enter() }))
				defer server.Close()
				h := newHost(t, wasm.Options{
					Log:    func(context.Context, string, string, message.Message) { enter() },
					Client: func(string, []string) *http.Client { return redirected(server) },
				})
				p, err := h.Load(fstest.MapFS{
					"plugin.toml": {Data: []byte("schema = 1\nid = \"again\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nhosts = [\"example.com\"]\nstate = \"" + state + "\"\n" +
						"[limits]\ntimeout_ms = 300\nlog_lines = 5\n[[tool]]\nname = \"again.again\"\nfunction = \"" + way +
						"\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\nargs_schema = '{\"type\":\"object\"}'\n")},
					"m.wasm": {Data: guest(t, "pdk-go").Bytes},
				})
				must.Succeed(t, err)
				must.Succeed(t, p.Prepare(t.Context()))
				tl := p.Tools()[0]
				again.Store(&tl)
				ctx, cancel := context.WithTimeout(t.Context(), poll.Patience)
				defer cancel()
				_, _ = tl.Call(ctx, tool.Call{Tool: "again.again", Args: map[string]any{}}) // ends
				again.Store(nil)
				if most.Load() == 0 {
					t.Error("it was never called again")
				}
				if ctx.Err() != nil {
					t.Errorf("it did not end within %v", poll.Patience)
				}
				if r, err := tl.Call(t.Context(), tool.Call{Tool: "again.again", Args: map[string]any{}}); err != nil || r.Error != nil {
					t.Errorf("the next call: %+v, %v", r.Error, err)
				}
			})
		}
	}
}

// redirected is a client that asks the server whatever it is asked.
func redirected(server *httptest.Server) *http.Client {
	return &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, r.URL.Path = "http", server.Listener.Addr().String(), "/"
		return http.DefaultTransport.RoundTrip(r)
	})}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestLoadedAThousandTimes: loading, calling and unloading leaves no memory, no
// file and no goroutine behind.
func TestLoadedAThousandTimes(t *testing.T) {
	h := wasm.New(wasm.Options{}) // without a folder: each module is compiled
	defer h.Close(context.Background())
	good := guest(t, "hostile").Bytes
	cycle := func(n int) {
		// A section that means nothing makes it another module.
		own := append([]byte(nil), good...)
		own = append(own, 0, 6, 1, 'n', byte(n), byte(n>>8), byte(n>>16), 0)
		p, err := h.Load(fstest.MapFS{
			"plugin.toml": {Data: []byte("schema = 1\nid = \"m\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n" +
				"[[tool]]\nname = \"m.good\"\nfunction = \"good\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n")},
			"m.wasm": {Data: own},
		})
		must.Succeed(t, err)
		for range 2 {
			if r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "m.good"}); err != nil || r.Error != nil && r.Error.Code != "bad_output" {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		must.Succeed(t, p.Close(t.Context()))
	}
	for n := range 50 {
		cycle(n)
	}
	before := taken(t)
	for n := range tier.Size(100, 1000) {
		cycle(50 + n)
	}
	after := taken(t)
	if after.goroutines > before.goroutines+3 || after.files > before.files+3 || after.mappings > before.mappings+50 || after.heap > before.heap+8<<20 {
		t.Errorf("before: %+v, after: %+v", before, after)
	}
}

type measured struct {
	goroutines, files, mappings int
	heap                        uint64
}

// isBusy is what the process takes now.
func taken(t *testing.T) measured {
	t.Helper()
	for range 3 { // finalizers run after a collection
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m := measured{goroutines: runtime.NumGoroutine(), heap: stats.HeapAlloc}
	if runtime.GOOS != "linux" {
		return m
	}
	files, err := os.ReadDir("/proc/self/fd")
	must.Succeed(t, err)
	maps := must.ReadFile(t, "/proc/self/maps")
	m.files, m.mappings = len(files), strings.Count(string(maps), "\n")
	return m
}
