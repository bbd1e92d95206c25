package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/manifest"
)

const digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

// TestPin: the digest is written where it belongs and nothing else changes.
func TestPin(t *testing.T) {
	const tools = "\n[[tool]]\nname = \"a\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	old := strings.Repeat("0", 64)
	tests := []struct{ name, in, want string }{
		{
			"below the module, in its column",
			"# mine\nschema  = 1\nid      = \"a\"\nversion = \"1\"\nmodule  = \"a.wasm\" # the code\nabi     = \"wasi\"\n" + tools,
			"# mine\nschema  = 1\nid      = \"a\"\nversion = \"1\"\nmodule  = \"a.wasm\" # the code\nsha256  = \"" + digest + "\"\nabi     = \"wasi\"\n" + tools,
		},
		{
			"in the place of an old one, its comment kept",
			"schema=1\nid=\"a\"\nversion=\"1\"\nsha256 = \"" + old + "\" # of build 7\nmodule=\"a.wasm\"\nabi=\"wasi\"" + tools,
			"schema=1\nid=\"a\"\nversion=\"1\"\nsha256 = \"" + digest + "\" # of build 7\nmodule=\"a.wasm\"\nabi=\"wasi\"" + tools,
		},
		{
			"Windows' ends of lines",
			strings.ReplaceAll("schema=1\nid=\"a\"\nversion=\"1\"\nabi=\"wasi\"\nmodule=\"a.wasm\"\n"+tools, "\n", "\r\n"),
			strings.ReplaceAll("schema=1\nid=\"a\"\nversion=\"1\"\nabi=\"wasi\"\nmodule=\"a.wasm\"\nsha256 = \""+digest+"\"\n"+tools, "\n", "\r\n"),
		},
		{
			"what only looks like the key",
			"schema=1\nid=\"a\"\nversion=\"1\"\nabi=\"wasi\"\ndescription = '''\nsha256 = \"x\"\nmodule = \"y\"\n'''\nmodule=\"a.wasm\"" + tools,
			"schema=1\nid=\"a\"\nversion=\"1\"\nabi=\"wasi\"\ndescription = '''\nsha256 = \"x\"\nmodule = \"y\"\n'''\nmodule=\"a.wasm\"\nsha256 = \"" + digest + "\"" + tools,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := manifest.Pin([]byte(tt.in), digest)
			must.Succeed(t, err)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := manifest.Pin(got, digest)
			if err != nil || string(again) != string(got) {
				t.Errorf("pinning twice: %v\n%s", err, again)
			}
		})
	}
	if _, err := manifest.Pin([]byte("schema = 1\n"), digest); err == nil {
		t.Error("a manifest without a module was pinned")
	}
}

// TestRecord: the answers go to the end of their case, in the place of earlier
// ones, and nothing else changes.
func TestRecord(t *testing.T) {
	const head = `schema = 1
id = "a"
version = "1"
module = "a.wasm"
abi = "extism"
hosts = ["example.com"]
[[tool]]
name = "a"
function = "f"
description = "d"
side_effect_class = "read"
effect = "read"
`
	const in = head + `
# the first
[[tool.case]]
args = { n = 1 }
payload = 1

# the second
[[tool.case]]
args = { text = '''
[[tool.case]]
''' }
payload = 2
[[tool.case.http]]
url = "https://example.com/old"
body = "old"
[[tool.case.http]]
url = "https://example.com/older"

# the last
[[tool.case]]
error = "x"
`
	want := strings.Replace(in, `[[tool.case.http]]
url = "https://example.com/old"
body = "old"
[[tool.case.http]]
url = "https://example.com/older"
`, `[[tool.case.http]]
method = "GET"
url = "https://example.com/a?b=1"
status = 200
headers = { "content-type" = "text/plain" }
body = "line\n\"quoted\" \\ \u0001 ж\n"
`, 1)
	exchange := manifest.Exchange{
		Method: "GET", URL: "https://example.com/a?b=1", Status: 200,
		Headers: map[string]string{"content-type": "text/plain"}, Body: "line\n\"quoted\" \\ \x01 ж\n",
	}
	got, err := manifest.Record([]byte(in), 1, []manifest.Exchange{exchange})
	must.Succeed(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m, err := manifest.Parse(got)
	must.Succeed(t, err)
	if diff := cmp.Diff([]manifest.Exchange{exchange}, m.Tools[0].Cases[1].HTTP); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	if first, err := manifest.Record([]byte(in), 0, []manifest.Exchange{exchange}); err != nil || !strings.Contains(string(first), "payload = 1\n[[tool.case.http]]\n") {
		t.Errorf("the first case: %v\n%s", err, first)
	}
	if _, err := manifest.Record([]byte(in), 3, []manifest.Exchange{exchange}); err == nil {
		t.Error("a case that isn't there was recorded")
	}
	inline := head + "case = [{ payload = 1 }]\n"
	if _, err := manifest.Record([]byte(inline), 0, []manifest.Exchange{exchange}); err == nil {
		t.Error("a case that is written in place was recorded")
	}
	if diff := cmp.Diff([]int{15, 20, 32}, manifest.CaseLines([]byte(in))); diff != "" {
		t.Errorf("lines of the cases (-want +got):\n%s", diff)
	}
}

// TestCases: what a case may ask for depends on the plugin.
func TestCases(t *testing.T) {
	const head = "schema = 1\nid = \"a\"\nversion = \"1\"\nmodule = \"a.wasm\"\n"
	const one = "[[tool]]\nname = \"a\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	const wasi = head + "abi = \"wasi\"\n[config.n]\ntype = \"int\"\n" + one + "[[tool.case]]\n"
	const extism = head + "abi = \"extism\"\nhosts = [\"example.com\"]\n[[paths]]\nroot = \"files.roots\"\n" + one + "function = \"f\"\n[[tool.case]]\npayload = 1\n"
	tests := []struct{ name, in, want string }{
		{"nothing expected", wasi, "needs a payload or an error"},
		{"both expected", wasi + "payload = 1\nerror = \"x\"\n", "needs a payload or an error"},
		{"a setting that is none", wasi + "payload = 1\nconfig = { m = 1 }\n", "no [config.m]"},
		{"a setting of another type", wasi + "payload = 1\nconfig = { n = \"1\" }\n", "config.n must be a whole number"},
		{"files without folders", wasi + "payload = 1\nfiles = { \"a.txt\" = \"\" }\n", "needs [[paths]]"},
		{"answers for a command", wasi + "payload = 1\nhttp = [{ url = \"https://example.com/\" }]\n", "needs abi extism"},
		{"a file outside of the folder", extism + "files = { \"../a.txt\" = \"\" }\n", "within the folder"},
		{"half a URL", extism + "http = [{ url = \"/a\" }]\n", "full URL"},
		{"a status that is none", extism + "http = [{ url = \"https://example.com/\", status = 99 }]\n", "status 99"},
		{"a method in small letters", extism + "http = [{ url = \"https://example.com/\", method = \"get\" }]\n", "in capitals"},
		{"a key that is none", extism + "[[tool.case.http]]\nurl = \"https://example.com/\"\nbdy = \"\"\n", `did you mean "body"?`},
		{"all in order", extism + "files = { \"a/b.txt\" = \"x\" }\nhttp = [{ url = \"https://example.com/\", method = \"PUT\", status = 404, headers = { a = \"b\" }, body = \"no\" }]\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := manifest.Parse([]byte(tt.in))
			if tt.want == "" {
				must.Succeed(t, err)
				return
			}
			if err == nil || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("error is %v, want %q in it", err, tt.want)
			}
		})
	}
}

// FuzzPin: whatever can be pinned is a manifest with that digest and else the
// same.
func FuzzPin(f *testing.F) {
	f.Add([]byte("schema = 1\nid = \"a\"\nversion = \"1\"\nmodule = \"a.wasm\"\nabi = \"wasi\"\n[[tool]]\nname = \"a\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		before, err := manifest.Parse(doc)
		if err != nil {
			return
		}
		pinned, err := manifest.Pin(doc, digest)
		if err != nil {
			return
		}
		after, err := manifest.Parse(pinned)
		must.Succeed(t, err)
		before.SHA256 = digest
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("pinning changed it (-before +after):\n%s", diff)
		}
	})
}
