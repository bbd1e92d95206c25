package extism_test

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
	"errand/planner/message"
)

// guest calls the ABI's functions as a plugin would.
type guest struct {
	t   testing.TB
	env api.Module
	k   *extism.Kernel
	c   *extism.Call
}

// names are the functions that plugins may import. Every PDK uses these.
var names = strings.Fields(`alloc config_get error_get error_set free get_log_level http_headers http_request http_status_code
	input_length input_load_u64 input_load_u8 input_offset input_set length length_unsafe load_u64 load_u8
	log_debug log_error log_info log_trace log_warn memory_bytes output_length output_offset output_set
	reset store_u64 store_u8 var_get var_set`)

const enough = 1 << 20 // bytes of memory

func newGuest(t testing.TB, c *extism.Call, memory uint64, input string) guest {
	t.Helper()
	return newWorld(t, wazero.NewRuntimeConfigInterpreter()).guest(t, c, memory, input)
}

// world is a runtime with the ABI.
type world struct {
	runtime wazero.Runtime
	abi     *extism.ABI
	guests  wazero.CompiledModule
}

// everyModule makes Register add every module.
func everyModule(string) bool { return true }

func newWorld(t testing.TB, config wazero.RuntimeConfig) world {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	t.Cleanup(func() { r.Close(ctx) })
	abi, err := extism.Register(ctx, r, everyModule)
	must.Succeed(t, err)
	compiled, err := r.CompileModule(ctx, reexport(abi))
	must.Succeed(t, err)
	return world{r, abi, compiled}
}

func (w world) guest(t testing.TB, c *extism.Call, memory uint64, input string) guest {
	t.Helper()
	ctx := context.Background()
	k, err := w.abi.New(ctx, memory, nil, nil)
	must.Succeed(t, err)
	if c.Limits == (extism.Limits{}) {
		c.Limits = extism.DefaultLimits()
	}
	must.Succeed(t, k.Begin(ctx, c, []byte(input)))
	m, err := w.runtime.InstantiateModule(k.Link(c, nil), w.guests, wazero.NewModuleConfig().WithName(""))
	must.Succeed(t, err)
	t.Cleanup(func() {
		m.Close(ctx)
		k.Close()
	})
	return guest{t, m, k, c}
}

// reexport is a module that imports functions and exports them under their own names, because
// only guests may call the host's functions.
func reexport(abi *extism.ABI) []byte {
	text := func(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }
	count := byte(len(names))
	types, imports, exports := []byte{count}, []byte{count}, []byte{count}
	for i, name := range names {
		d := abi.Functions()[name]
		types = append(types, 0x60)
		types = text(types, string(d.ParamTypes()))
		types = text(types, string(d.ResultTypes()))
		imports = append(text(text(imports, extism.Module), name), 0, byte(i))
		exports = append(text(exports, name), 0, byte(i))
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, section := range []struct {
		id   byte
		body []byte
	}{{1, types}, {2, imports}, {7, exports}} {
		out = append(out, section.id)
		out = binary.AppendUvarint(out, uint64(len(section.body)))
		out = append(out, section.body...)
	}
	return out
}

// try calls a function and returns its result, or 0 if it has none.
func (g guest) try(function string, params ...uint64) (uint64, error) {
	g.t.Helper()
	f := g.env.ExportedFunction(function)
	if f == nil {
		g.t.Fatalf("there is no function %s", function)
	}
	results, err := f.Call(g.c, params...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

func (g guest) call(function string, params ...uint64) uint64 {
	g.t.Helper()
	v, err := g.try(function, params...)
	if err != nil {
		g.t.Fatalf("%s%v: %v", function, params, err)
	}
	return v
}

// text returns the text of a line that a plugin logged.
func (g guest) text(s string) uint64 {
	g.t.Helper()
	at := g.call("alloc", uint64(len(s)))
	for i := range len(s) {
		g.call("store_u8", at+uint64(i), uint64(s[i]))
	}
	return at
}

// read reads a block.
func (g guest) read(at uint64) string {
	g.t.Helper()
	var b strings.Builder
	for i := range g.call("length", at) {
		b.WriteByte(byte(g.call("load_u8", at+i)))
	}
	return b.String()
}

func (g guest) want(want uint64, function string, params ...uint64) {
	g.t.Helper()
	if got := g.call(function, params...); got != want {
		g.t.Errorf("%s%v = %d, want %d", function, params, got, want)
	}
}

func (g guest) wantFault(code, function string, params ...uint64) {
	g.t.Helper()
	_, err := g.try(function, params...)
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != code {
		g.t.Errorf("%s%v: %v, want a fault %s", function, params, err, code)
	}
}

// TestExportsABIOnly checks that plugins get the functions of the ABI and no internal function of
// the host.
func TestExportsABIOnly(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer r.Close(t.Context())
	abi, err := extism.Register(t.Context(), r, everyModule)
	must.Succeed(t, err)
	for name, d := range abi.Functions() {
		switch offered := inspect.HostType(extism.Module, name); {
		case name == "prepare":
			if offered != "" {
				t.Errorf("plugins may import %s", name)
			}
		case !slices.Contains(names, name):
			t.Errorf("no PDK knows %s", name)
		case offered != signature(d):
			t.Errorf("%s is offered as %q, and is %q", name, offered, signature(d))
		}
	}
	for _, name := range names {
		if abi.Functions()[name] == nil {
			t.Errorf("there is no function %s", name)
		}
	}
}

// signature formats a function's type like an inspection does.
func signature(d api.FunctionDefinition) string {
	list := func(types []api.ValueType) string {
		var names []string
		for _, t := range types {
			names = append(names, api.ValueTypeName(t))
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	return list(d.ParamTypes()) + " -> " + list(d.ResultTypes())
}

func TestMemory(t *testing.T) {
	g := newGuest(t, &extism.Call{}, 128<<10, "")
	g.want(0, "alloc", 0)
	a := g.call("alloc", 10)
	b := g.call("alloc", 20)
	if a == 0 || b < a+10 {
		t.Fatalf("blocks at %d and %d overlap", a, b)
	}
	g.want(10, "length", a)
	g.want(20, "length_unsafe", b)
	g.want(0, "length", a+1)
	g.want(0, "length", 0)
	g.want(0, "length", 1<<63)

	g.call("store_u8", a, 0x1_23) // only the low eight bits
	g.want(0x23, "load_u8", a)
	g.call("store_u64", a+1, 0x8877665544332211) // unaligned, little endian
	g.want(0x11, "load_u8", a+1)
	g.want(0x88, "load_u8", a+8)
	g.want(0x8877665544332211, "load_u64", a+1)
	g.want(0, "load_u64", b)

	for _, far := range []uint64{g.call("memory_bytes"), 1 << 40, ^uint64(0), ^uint64(0) - 3} {
		g.call("store_u8", far, 1)
		g.call("store_u64", far, 1)
		g.want(0, "load_u8", far)
		g.want(0, "load_u64", far)
	}

	g.call("free", a)
	g.call("free", a) // twice
	g.call("free", 12345)
	g.call("free", 0)
	g.want(0, "length", a)
	g.want(0x23, "load_u8", a) // still readable: PDKs do that
	if c := g.call("alloc", 10); c == a {
		t.Error("a freed block was handed out again within the call")
	}

	for _, n := range []uint64{128 << 10, 1 << 40, ^uint64(0), ^uint64(0) - 7} {
		g.want(0, "alloc", n)
	}
	if !g.k.IsExhausted() {
		t.Error("a refused alloc is not told")
	}
	g.call("reset")
	g.want(0, "length", b)
	g.want(0, "load_u8", a)
	if g.k.IsExhausted() {
		t.Error("reset keeps the refusal")
	}
}

// TestCallWithoutInputStartsEmpty checks that a call without input starts with no input, output
// or error. The kernel is not prepared again if the last call touched nothing.
func TestCallWithoutInputStartsEmpty(t *testing.T) {
	tests := []struct {
		name     string
		function string
		params   []uint64
		silent   bool
	}{
		{"a byte outside of blocks", "store_u8", []uint64{20, 7}, true},
		{"a word outside of blocks", "store_u64", []uint64{16, ^uint64(0)}, true},
		{"a block", "alloc", []uint64{100}, false},
		{"a block that was refused", "alloc", []uint64{1 << 40}, false},
		{"an output without a block", "output_set", []uint64{16, 8}, false},
		{"an input without a block", "input_set", []uint64{16, 8}, false},
		{"an error that is none", "error_set", []uint64{99}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newGuest(t, &extism.Call{}, enough, "")
			for range 2 {
				if !g.k.HasNoOutput() || g.k.IsExhausted() || g.k.Error() != "" || len(g.k.Output()) > 0 {
					t.Fatal("it does not begin with nothing")
				}
				g.want(0, "load_u64", 16)
				for _, function := range []string{"input_offset", "input_length", "output_offset", "output_length", "error_get"} {
					g.want(0, function)
				}
				g.call(tt.function, tt.params...)
				if g.k.HasNoOutput() != tt.silent {
					t.Errorf("silent: %t, want %t", g.k.HasNoOutput(), tt.silent)
				}
				must.Succeed(t, g.k.Begin(t.Context(), g.c, nil))
			}
		})
	}
}

func TestInputOutputError(t *testing.T) {
	g := newGuest(t, &extism.Call{}, enough, "0123456789")
	at := g.call("input_offset")
	g.want(10, "input_length")
	g.want(10, "length", at) // the C PDK gets it this way
	g.want('3', "input_load_u8", 3)
	g.want(0, "input_load_u8", 10)
	g.want(0x3938373635343332, "input_load_u64", 2)
	g.want(0, "input_load_u64", 3) // reaches beyond the end
	g.want(0, "input_load_u64", ^uint64(0))

	g.call("output_set", at+2, 3) // a range inside a block
	if got := string(g.k.Output()); got != "234" {
		t.Errorf("output is %q", got)
	}
	g.want(at+2, "output_offset")
	g.call("output_set", at, 1<<40) // out of bounds: as before
	g.want(3, "output_length")
	g.call("output_set", 0, 0)
	if got := g.k.Output(); len(got) != 0 {
		t.Errorf("empty output is %q", got)
	}

	g.want(0, "error_get")
	e := g.text("went wrong")
	g.call("error_set", e)
	g.want(e, "error_get")
	g.call("free", e)
	if got := g.k.Error(); got != "went wrong" {
		t.Errorf("error is %q", got)
	}
	g.call("error_set", 0)
	if got := g.k.Error(); got != "" || g.k.HasError() || !g.k.ErrorMessage(9).IsZero() {
		t.Errorf("cleared error is %q", got)
	}

	g.call("free", at)
	g.want(0, "input_length")
	in := g.text("new")
	g.call("input_set", in, 3)
	g.want('n', "input_load_u8", 0)

	empty := newGuest(t, &extism.Call{}, enough, "")
	empty.want(0, "input_offset")
	empty.want(0, "input_length")
}

func TestConfigAndVariables(t *testing.T) {
	vars := map[string][]byte{}
	g := newGuest(t, &extism.Call{Config: map[string]string{"k": "value", "empty": ""}, Vars: vars}, 4<<20, "")
	if got := g.read(g.call("config_get", g.text("k"))); got != "value" {
		t.Errorf("config k is %q", got)
	}
	g.want(0, "config_get", g.text("empty"))
	g.want(0, "config_get", g.text("other"))
	key := g.text("k")
	g.call("config_get", key)
	g.want(0, "length", key) // the host freed the key

	g.want(0, "var_get", g.text("v"))
	g.call("var_set", g.text("v"), g.text("one"))
	if got := g.read(g.call("var_get", g.text("v"))); got != "one" {
		t.Errorf("variable is %q", got)
	}
	if err := g.k.Begin(t.Context(), g.c, nil); err != nil { // the next call of the same plugin
		t.Fatal(err)
	}
	if got := string(vars["v"]); got != "one" {
		t.Errorf("variable after the call is %q", got)
	}
	g.call("var_set", g.text("v"), 0)
	g.want(0, "var_get", g.text("v"))

	const half = 1 << 19
	big := g.call("alloc", half)
	g.call("var_set", g.text("a"), big)
	g.wantFault("vars_limit", "var_set", g.text("b"), g.call("alloc", half))
	g.call("var_set", g.text("a"), g.call("alloc", half)) // in place of the old one
	g.wantFault("invalid_handle", "var_set", 4711, 0)
	g.wantFault("invalid_handle", "config_get", 4711)
}

func TestLog(t *testing.T) {
	var lines []string
	g := newGuest(t, &extism.Call{
		LogLevel: extism.Info,
		Log:      func(l extism.Level, m message.Message) { lines = append(lines, l.String()+" "+text(m)) },
		Limits:   extism.Limits{LogLines: 6},
	}, enough, "")
	for _, level := range []string{"trace", "debug", "info", "warn", "error"} {
		m := g.text("m")
		g.call("log_"+level, m)
		g.want(0, "length", m) // freed even if it is not logged
	}
	g.call("log_warn", 0)
	g.call("log_warn", g.text("\xff!"))
	g.wantFault("invalid_handle", "log_warn", 4711)
	g.want(uint64(extism.Info), "get_log_level")
	want := []string{"info m", "warn m", "error m", "warn ", "warn \uFFFD!"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestHTTPRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/echo":
			w.Header().Set("X-One", "1")
			w.WriteHeader(http.StatusTeapot)
			json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "n": r.Header.Get("X-N"), "flag": r.Header.Get("X-Flag"), "key": r.Header.Get("X-Key")})
		case "/away":
			http.Redirect(w, r, "http://"+r.Host+"/echo", http.StatusFound)
		case "/empty":
		case "/big":
			w.Write(make([]byte, 200<<10))
		case "/mid":
			w.Write(make([]byte, 140<<10))
		}
	}))
	defer server.Close()
	var secretTo []string
	c := &extism.Call{
		Client: server.Client(), Hosts: []string{"127.0.0.1"},
		Limits: extism.Limits{HTTPBody: 150 << 10, HTTPRequests: 15},
		Secrets: map[string]extism.Secret{
			"free":  {Value: "s3cret", May: func(u *url.URL) bool { secretTo = append(secretTo, u.Path); return true }},
			"bound": {Value: "s3cret", May: func(u *url.URL) bool { return u.Path == "/away" }},
			"dead":  {Value: "s3cret"},
		},
	}
	g := newGuest(t, c, 128<<10, "")
	g.want(0, "http_status_code")
	g.want(0, "http_headers")
	ask := func(path, rest string) uint64 { return g.text(`{"url":"` + server.URL + path + `"` + rest + `}`) }

	req := ask("/echo", `,"method":"post","headers":{"X-N":7,"X-Flag":true,"X-Key":"k {{secret:free}} {{secret:unknown}}"}`)
	at := g.call("http_request", req, g.text("body"))
	want := `{"flag":"true","key":"k [redacted:own:????] {{secret:unknown}}","method":"POST","n":"7"}` + "\n"
	read := func(at uint64) string { // the secret is never in it
		return regexp.MustCompile(`(own:)[0-9a-f]{4}`).ReplaceAllString(g.read(at), "${1}????")
	}
	if got := read(at); got != want {
		t.Errorf("answer is %q, want %q", got, want)
	}
	g.want(http.StatusTeapot, "http_status_code") // an HTTP status is not a failure
	if headers := g.read(g.call("http_headers")); !strings.Contains(headers, `"x-one":"1"`) {
		t.Errorf("headers are %s", headers)
	}
	g.call("free", req) // the host has freed it already
	if got := read(at); got != want {
		t.Errorf("the answer went with the request: %q", got)
	}

	g.want(0, "http_request", ask("/empty", ""), 0)
	g.call("http_request", ask("/away", ""), 0)
	g.want(http.StatusTeapot, "http_status_code")
	g.call("http_request", ask("/away", `,"headers":{"X-Key":"{{secret:free}}"}`), 0)
	if diff := cmp.Diff([]string{"/echo", "/away", "/echo"}, secretTo); diff != "" {
		t.Errorf("the secret was asked for (-want +got):\n%s", diff)
	}
	g.wantFault("host_denied", "http_request", ask("/away", `,"headers":{"X-Key":"{{secret:bound}}"}`), 0)
	g.wantFault("host_denied", "http_request", ask("/echo", `,"headers":{"X-Key":"{{secret:bound}}"}`), 0)
	g.wantFault("host_denied", "http_request", ask("/echo", `,"headers":{"X-Key":"{{secret:dead}}"}`), 0)
	g.wantFault("http_body_limit", "http_request", ask("/big", ""), 0)
	g.wantFault("memory_limit", "http_request", ask("/mid", ""), 0)
	g.wantFault("bad_http_request", "http_request", g.text("no JSON"), 0)
	g.wantFault("bad_http_request", "http_request", g.text(`{"url":"http://a b/"}`), 0)
	g.wantFault("bad_http_request", "http_request", ask("/", `,"method":"BAD METHOD"`), 0)
	g.wantFault("invalid_handle", "http_request", 4711, 0)
	g.want(0, "http_status_code") // of the failed one

	server.Close()
	g.wantFault("http_failed", "http_request", ask("/echo", ""), 0)
	c.Hosts = nil
	g.wantFault("host_denied", "http_request", ask("/echo", ""), 0)
	c.Hosts, c.Client = []string{"127.0.0.1"}, nil
	g.wantFault("host_denied", "http_request", ask("/echo", ""), 0)
}

// TestBadRequests checks that an invalid request ends with an error that describes it, before
// anything is sent.
func TestBadRequests(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ }))
	defer server.Close()
	c := &extism.Call{
		Client: server.Client(), Hosts: []string{"127.0.0.1"}, Limits: extism.DefaultLimits(),
		Secrets: map[string]extism.Secret{"two": {Value: "a\r\nX-B: b", May: func(*url.URL) bool { return true }}},
	}
	g := newGuest(t, c, 1<<20, "")
	headers := func(h string) string { return `{"url":"` + server.URL + `","headers":` + h + `}` }
	for request, want := range map[string]string{
		``: "unexpected end", `[]`: "must be an object, not array", `{"url":5}`: "its url has the wrong type number", headers(`"x"`): "its headers has the wrong type string",
		`null`: `its url "" is not an http`, `{"url":"/x"}`: `its url "/x" is not an http`, `{"url":"http://"}`: "not an http or https", `{"url":"http:127.0.0.1"}`: "not an http or https",
		`{"url":"file:///etc/passwd"}`: `"file:///etc/passwd" is not an http or https address`, `{"url":"ftp://127.0.0.1/"}`: "not an http or https",
		headers(`{"X-A":"a\r\nX-B: b"}`): "the header X-A has a line break", headers(`{"X-A":"{{secret:two}}"}`): "the header X-A has a line break", headers(`{"X-A":"\u0000"}`): "control character",
		headers(`{"X A":"a"}`): `"X A" is not a header name`, headers(`{"":"a"}`): `"" is not a header name`, headers(`{"X-A:":"a"}`): `"X-A:" is not a header name`, headers(`{"X-Ä":"a"}`): "is not a header name",
		headers(`{"X-A":{"a":1}}`): "the value of its header X-A is not text", headers(`{"X-A":["a"]}`): "X-A is not text",
	} {
		_, err := g.try("http_request", g.text(request), 0)
		var e *tool.Error
		if !errors.As(err, &e) || e.Code != "bad_http_request" || e.Class != tool.ExecutionError || !strings.Contains(i18n.English().Text(e.Message), want) || e.Hint.IsZero() ||
			strings.Contains(i18n.English().Text(e.Message), "s3cret") || strings.Contains(i18n.English().Text(e.Message), "Go ") {
			t.Errorf("%s: %v (%+v), want %q", request, err, e, want)
		}
	}
	if sent > 0 {
		t.Errorf("%d of them were sent", sent)
	}
	g.call("http_request", g.text(headers(`{"X-A":"ä\tb","x-n":1,"x-null":null,"Host":"other.example"}`)), 0)
	if sent != 1 {
		t.Error("a good one was not sent")
	}
}

// TestEchoedSecrets checks that a plugin never gets a secret back from a server: plain, encoded,
// in a header, or in a later response.
func TestEchoedSecrets(t *testing.T) {
	const value = "s3cret/+Value"
	var kept string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("X-Key"); key != "" {
			kept = key
		}
		w.Header().Set("X-Back", kept)
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/at?key="+url.QueryEscape(kept), http.StatusFound)
		}
		back := map[string]string{
			"/plain": kept, "/base64": base64.StdEncoding.EncodeToString([]byte(kept)), "/url": url.QueryEscape(kept),
			"/hex": hex.EncodeToString([]byte(kept)),
		}[r.URL.Path]
		if r.Header.Get("Accept-Encoding") == "deflate, gzip" { // the plugin asked for it
			back = "packed"
		}
		io.WriteString(w, "<"+back+">")
	}))
	defer server.Close()
	c := &extism.Call{
		Client: server.Client(), Hosts: []string{"127.0.0.1"}, Limits: extism.DefaultLimits(),
		Secrets: map[string]extism.Secret{"key": {Value: value, May: func(*url.URL) bool { return true }}},
	}
	g := newGuest(t, c, 1<<20, "")
	for _, headers := range []string{`{"X-Key":"Bearer {{secret:key}}","Accept-Encoding":"deflate, gzip"}`, `{}`} {
		for _, path := range []string{"/plain", "/base64", "/url", "/hex"} {
			got := g.read(g.call("http_request", g.text(`{"url":"`+server.URL+path+`","headers":`+headers+`}`), 0))
			if !strings.Contains(got, "[redacted:") {
				t.Errorf("%s with %s says %q", path, headers, got)
			}
			if got := g.read(g.call("http_headers")); strings.Contains(got, value) || !strings.Contains(got, "[redacted:") {
				t.Errorf("%s with %s has the headers %s", path, headers, got)
			}
		}
	}
	g.call("http_request", g.text(`{"url":"`+server.URL+`/moved","tell_url":true}`), 0)
	if got := g.read(g.call("http_headers")); !strings.Contains(got, `"errand-url":"`+server.URL+`/at?key=`) || strings.Contains(got, url.QueryEscape(value)) {
		t.Errorf("the address that it moved to tells %s", got)
	}
	if kept != "Bearer "+value {
		t.Errorf("the server got %q", kept)
	}
	for _, method := range []string{"trace", "CONNECT"} {
		g.wantFault("method_denied", "http_request", g.text(`{"url":"`+server.URL+`","method":"`+method+`"}`), 0)
	}
	// The server may have kept it since an earlier call.
	must.Succeed(t, g.k.Begin(t.Context(), c, nil))
	if got := g.read(g.call("http_request", g.text(`{"url":"`+server.URL+`/url"}`), 0)); !strings.Contains(got, "[redacted:") {
		t.Errorf("a later call reads %q", got)
	}
	if got := g.read(g.call("http_headers")); strings.Contains(got, value) {
		t.Errorf("a later call has the headers %s", got)
	}
	// Nor does another plugin read it.
	other := newGuest(t, &extism.Call{
		Client: server.Client(), Hosts: []string{"127.0.0.1"}, Limits: extism.DefaultLimits(),
		OtherSecrets: []extism.Secret{{Value: value}},
	}, 1<<20, "")
	if got := other.read(other.call("http_request", other.text(`{"url":"`+server.URL+`/base64"}`), 0)); !strings.Contains(got, "[redacted:") {
		t.Errorf("another plugin reads %q", got)
	}
	if got := other.read(other.call("http_request", other.text(`{"url":"`+server.URL+`/plain","headers":{"X-Key":"{{secret:key}}"}}`), 0)); strings.Contains(got, value) {
		t.Errorf("another plugin sends it: %q", got)
	}
	// A call of a program without secrets reads all.
	plain := newGuest(t, &extism.Call{Client: server.Client(), Hosts: []string{"127.0.0.1"}, Limits: extism.DefaultLimits()}, 1<<20, "")
	if got := plain.read(plain.call("http_request", plain.text(`{"url":"`+server.URL+`/plain"}`), 0)); strings.Contains(got, "[redacted:") {
		t.Errorf("without secrets it reads %q", got)
	}
}

// TestPartialAnswers checks that a plugin can't read a secret in pieces, nor in an encoding that
// the server chooses.
func TestPartialAnswers(t *testing.T) {
	const value = "s3cret/+Value"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/encoded":
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, value)
		case "/unasked":
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, value[:3])
		case "/identity":
			w.Header().Set("Content-Encoding", "Identity")
			io.WriteString(w, value)
		case "/gzip":
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				io.WriteString(z, value)
				z.Close()
			}
		default:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(value))
		}
	}))
	defer server.Close()
	own := map[string]extism.Secret{"key": {Value: value, May: func(*url.URL) bool { return true }}}
	other := func(may bool) []extism.Secret {
		return []extism.Secret{{Value: value, May: func(*url.URL) bool { return may }}}
	}
	for _, tt := range []struct {
		name, path, headers string
		own                 map[string]extism.Secret
		other               []extism.Secret
		want                string // code of the error, or the answer
	}{
		{"range", "/", `"Range":"bytes=0-2"`, own, nil, "host_denied"},
		{"range in small letters", "/", `"range":"bytes=0-2"`, own, nil, "host_denied"},
		{"range with the secret", "/", `"Range":"bytes=0-2","X-Key":"{{secret:key}}"`, own, nil, "host_denied"},
		{"conditional", "/", `"If-Range":"x"`, own, nil, "host_denied"},
		{"Azure", "/", `"x-ms-range":"bytes=0-2"`, own, nil, "host_denied"},
		{"underscore", "/", `"X_Range":"bytes=0-2"`, own, nil, "host_denied"},
		{"old form", "/", `"Request-Range":"bytes=0-2"`, own, nil, "host_denied"},
		{"unasked part", "/unasked", ``, own, nil, "host_denied"},
		{"another plugin's host", "/", `"Range":"bytes=0-2"`, nil, other(true), "host_denied"},
		{"another host", "/", `"Range":"bytes=0-2"`, nil, other(false), "s3c"},
		{"without secrets", "/", `"Range":"bytes=0-2"`, nil, nil, "s3c"},
		{"whole", "/", ``, own, nil, "[redacted:own:????]"},
		{"a name with range in a word", "/", `"X-Arranged":"1"`, own, nil, "[redacted:own:????]"},
		{"encoded", "/encoded", ``, own, nil, "host_denied"},
		{"encoded, of another plugin", "/encoded", ``, nil, other(false), "host_denied"},
		{"encoded, without secrets", "/encoded", ``, nil, nil, value},
		{"not encoded", "/identity", ``, own, nil, "[redacted:own:????]"},
		{"packed", "/gzip", `"Accept-Encoding":"gzip"`, own, nil, "[redacted:own:????]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGuest(t, &extism.Call{
				Client: server.Client(), Hosts: []string{"127.0.0.1"}, Limits: extism.DefaultLimits(), Secrets: tt.own, OtherSecrets: tt.other,
			}, 1<<20, "")
			request := g.text(`{"url":"` + server.URL + tt.path + `","headers":{` + tt.headers + `}}`)
			if tt.want == "host_denied" {
				g.wantFault(tt.want, "http_request", request, 0)
				return
			}
			got := regexp.MustCompile(`:[0-9a-f]{4}\]`).ReplaceAllString(g.read(g.call("http_request", request, 0)), ":????]")
			if got != tt.want {
				t.Errorf("read %q, want %q", got, tt.want)
			}
		})
	}
}

// TestReadOnlyHTTP checks that a read-only tool can't send requests that change something.
func TestReadOnlyHTTP(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = append(seen, r.Method) }))
	defer server.Close()
	g := newGuest(t, &extism.Call{Client: server.Client(), Hosts: []string{"127.0.0.1"}, ReadOnly: true}, 128<<10, "")
	ask := func(method string) uint64 { return g.text(`{"url":"` + server.URL + `","method":"` + method + `"}`) }
	for _, method := range []string{"", "get", "HEAD"} {
		g.call("http_request", ask(method), 0)
	}
	for _, method := range []string{"POST", "put", "PATCH", "DELETE", "OPTIONS", "CONNECT", "PURGE"} {
		g.wantFault("method_denied", "http_request", ask(method), 0)
	}
	if diff := cmp.Diff([]string{"GET", "GET", "HEAD"}, seen); diff != "" {
		t.Errorf("the server saw (-want +got):\n%s", diff)
	}
}

// text is the text of a line that a plugin logged.
func text(m message.Message) string {
	s, _ := m.Text()
	return s
}

// TestErrorMessage checks that the message of an error has its text, whatever the text is. Only
// an error without a text has no message.
func TestErrorMessage(t *testing.T) {
	g := newGuest(t, &extism.Call{}, enough, "")
	const same = "the plugin failed and gave no reason"
	g.call("error_set", g.text(same))
	if got := g.k.ErrorMessage(99); !got.Equal(message.Verbatim(same)) {
		t.Errorf("%s", got)
	}
	if got := g.k.ErrorMessage(3); !got.Equal(message.Verbatim("the…")) {
		t.Errorf("%s", got)
	}
	if got := extism.ErrorMessage(""); got.Code != "plugin.failed_without_reason" {
		t.Errorf("%s", got)
	}
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// TestLongLines checks that only the beginning of a line as long as the memory is kept.
func TestLongLines(t *testing.T) {
	var lines []string
	g := newGuest(t, &extism.Call{
		LogLevel: extism.Info,
		Log:      func(_ extism.Level, m message.Message) { lines = append(lines, text(m)) },
		Limits:   extism.Limits{LogLines: 9},
	}, enough, "")
	const most = extism.MaxLogLine
	g.call("log_info", g.text(strings.Repeat("a", most)))
	g.call("log_info", g.text(strings.Repeat("a", most+1)))
	g.call("log_info", g.text(strings.Repeat("a", most-1)+"é")) // not cut inside a character
	g.c.Report(extism.Warn, message.Verbatim(strings.Repeat("a", 10*most)))
	want := []string{
		strings.Repeat("a", most), strings.Repeat("a", most) + "…",
		strings.Repeat("a", most-1) + "…", strings.Repeat("a", most) + "…",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	for _, line := range g.c.LastLines() {
		if len(line) > 300 {
			t.Errorf("%d bytes of a line are kept for an error", len(line))
		}
	}
}
