package wasm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// makers loads the rogue with tools that change something and say how to find
// out about that.
func makers(t *testing.T, o wasm.Options) func(name string) tool.Tool {
	t.Helper()
	text := strings.Replace(rogueManifest, `mode = "ro"`, `mode = "rw"`, 1)
	for name, more := range map[string]string{
		"say": "reconcile = \"rogue.look\"\nreversible = true\n", "write": "reconcile = \"rogue.look_and_write\"\n",
		"take": "", "back": "", "echo": "", "sleep": "reconcile = \"rogue.loop\"\ntimeout_ms = 1500\n", // which does not end
	} {
		text += fmt.Sprintf("[[tool]]\nname = \"rogue.%s\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\n%s"+
			"args_schema = '{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"format\":\"path\"}},\"additionalProperties\":true}'\n", name, more)
	}
	text += "[[tool]]\nname = \"rogue\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\n" +
		"[[tool]]\nname = \"rogue.look_only\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	p, err := newHost(t, o).Load(fstest.MapFS{"plugin.toml": {Data: []byte(text)}, "rogue.wasm": {Data: rogue(t)}})
	must.Succeed(t, err)
	must.Succeed(t, p.Prepare(t.Context()))
	return func(name string) tool.Tool {
		for _, tl := range p.Tools() {
			if tl.Spec().Name == name {
				return tl
			}
		}
		t.Fatalf("no tool %s", name)
		return nil
	}
}

func TestUndo(t *testing.T) {
	root := t.TempDir()
	var mu sync.Mutex
	var warned []string
	say := makers(t, wasm.Options{
		Roots: map[string][]string{"files.roots": {root}},
		Log: func(_ context.Context, _, level string, line message.Message) {
			mu.Lock()
			defer mu.Unlock()
			if level == "warn" {
				warned = append(warned, i18n.English().Text(line))
			}
		},
	})("rogue.say")
	if !say.Spec().Reversible {
		t.Error("the tool doesn't say that it is reversible")
	}
	at := func(rel string) string { return filepath.Join(root, rel) }
	tests := []struct {
		name, undo string
		want       *tool.Inverse
		warning    string
	}{
		{"its own tool", `{"tool":"rogue.take","args":{"path":"/root/0/x","all":["/root/0/y",1],"text":"see /root/0/x","off":"/root/7/x"}}`, &tool.Inverse{
			Tool: "rogue.take", Args: map[string]any{"path": at("x"), "all": []any{at("y"), 1.0}, "text": "see /root/0/x", "off": "/root/7/x"},
		}, ""},
		{"out of its folder", `{"tool":"rogue.take","args":{"path":"/root/0/../../etc"}}`, &tool.Inverse{Tool: "rogue.take", Args: map[string]any{"path": at("etc")}}, ""},
		{"without arguments", `{"tool":"rogue"}`, &tool.Inverse{Tool: "rogue", Args: map[string]any{}}, ""},
		{"none", `null`, nil, ""},
		{"no tool of this name", `{"tool":"rogue.gone","args":{"path":"/root/0/x"}}`, nil, `rogue.say: the undo is ignored: the plugin has no tool "rogue.gone"`},
		{"a tool that changes nothing", `{"tool":"rogue.look_only"}`, nil, "rogue.look_only only reads"},
		{"arguments that the tool doesn't take", `{"tool":"rogue","args":{"path":"/root/0/x"}}`, nil, "path"},
		{"an argument of another type", `{"tool":"rogue.take","args":{"path":3}}`, nil, "/path"},
		{"a path outside", `{"tool":"rogue.take","args":{"path":"/etc/passwd"}}`, nil, "/etc/passwd"},
		{"another's tool", `{"tool":"files.delete_folder","args":{"path":"/root/0/x"}}`, nil, `the plugin has no tool "files.delete_folder"`},
		{"a name that only begins so", `{"tool":"rogues.take"}`, nil, "rogues.take"},
		{"no name of a tool", `{"tool":"rogue.take everything"}`, nil, "the plugin has no tool"},
		{"no tool", `{"args":{}}`, nil, "the plugin has no tool"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			warned = nil
			r, err := say.Call(t.Context(), tool.Call{Tool: "rogue.say", Args: map[string]any{"answer": `{"ok":true,"payload":1,"undo":` + tt.undo + `}`}})
			if err != nil || !r.OK || r.Payload != 1.0 {
				t.Fatalf("an undo made the call fail: %+v, %v", r, err)
			}
			if d := cmp.Diff(tt.want, r.Undo); d != "" {
				t.Errorf("undo (-want +got):\n%s", d)
			}
			if got := strings.Join(warned, "\n"); (got == "") != (tt.warning == "") || !strings.Contains(got, tt.warning) {
				t.Errorf("warned %q, want %q", got, tt.warning)
			}
		})
	}
}

func TestKey(t *testing.T) {
	echo := makers(t, wasm.Options{})("rogue.echo")
	r, err := echo.Call(t.Context(), tool.Call{Tool: "rogue.echo", ActionID: "a1", Key: "r1:a1"})
	if err != nil || !r.OK {
		t.Fatal(r.Error, err)
	}
	if got := r.Payload.(map[string]any)["idempotency_key"]; got != "r1:a1" {
		t.Errorf("the plugin is told the key %v", got)
	}
	if _, ok := echo.(tool.Reconciler); ok {
		t.Error("a tool without an entry for it says that it can find out")
	}
}

func TestReconcile(t *testing.T) {
	root := t.TempDir()
	get := makers(t, wasm.Options{Roots: map[string][]string{"files.roots": {root}}})
	tests := []struct {
		name, answer string
		want         tool.Reconciled
	}{
		{"committed", `{"state":"committed","payload":{"path":"/root/0/x"},"facts":["exists:/root/0/x","exists:/etc"],"undo":{"tool":"rogue.take"}}`, tool.Reconciled{
			Effect: tool.Committed, Result: tool.Result{
				OK: true, Payload: map[string]any{"path": filepath.Join(root, "x")}, Facts: []string{"exists:" + filepath.Join(root, "x")},
				Undo: &tool.Inverse{Tool: "rogue.take", Args: map[string]any{}},
			},
		}},
		{"released", `{"state":"released"}`, tool.Reconciled{Effect: tool.Released}},
		{"unknown", `{"state":"unknown","payload":1}`, tool.Reconciled{Effect: tool.Unknown}},
		{"with ok beside it", `{"ok":true,"state":"released"}`, tool.Reconciled{Effect: tool.Released}},
		{"a state in the ledger's spelling", `{"state":"COMMITTED"}`, tool.Reconciled{Effect: tool.Unknown}},
		{"a state in the payload", `{"ok":true,"payload":{"state":"committed"}}`, tool.Reconciled{Effect: tool.Unknown}},
		{"a no", `{"ok":false,"error":{"code":"x","message":"y"},"state":"committed"}`, tool.Reconciled{Effect: tool.Unknown}},
		{"two answers", `{"state":"committed"}{"state":"released"}`, tool.Reconciled{Effect: tool.Unknown}},
		{"nothing", ``, tool.Reconciled{Effect: tool.Unknown}},
		{"garbage", `committed`, tool.Reconciled{Effect: tool.Unknown}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := get("rogue.say").(tool.Reconciler).Reconcile(t.Context(), tool.Call{Tool: "rogue.say", Args: map[string]any{"answer": tt.answer}})
			must.Succeed(t, err)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("finding (-want +got):\n%s", d)
			}
		})
	}

	// The tool may write in the folder. Finding out may not.
	call := tool.Call{Tool: "rogue.write", Args: map[string]any{"path": filepath.Join(root, "mine")}}
	got, err := get("rogue.write").(tool.Reconciler).Reconcile(t.Context(), call)
	if err != nil || !strings.Contains(fmt.Sprint(got.Result.Payload), "Read-only") {
		t.Errorf("writing while finding out: %+v, %v", got, err)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if r, err := get("rogue.write").Call(t.Context(), call); err != nil || r.Payload.(map[string]any)["error"] != "<nil>" {
		t.Errorf("writing by the call: %+v, %v", r, err)
	}

	// Its limits hold as well, and a path outside is refused.
	_, err = get("rogue.sleep").(tool.Reconciler).Reconcile(t.Context(), tool.Call{})
	wantError(t, err, tool.ToolTimeout, "deadline_exceeded")
	_, err = get("rogue.say").(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: map[string]any{"path": "/etc/passwd"}})
	wantError(t, err, tool.PolicyDenied, "path_outside_roots")
}

// TestReconcileExtism: the output of the function is the finding.
func TestReconcileExtism(t *testing.T) {
	load := func(reconcile string) (*wasm.Plugin, error) {
		h := newHost(t, wasm.Options{Config: func(string) map[string]any {
			return map[string]any{"thing": `", "state": "committed", "payload": {"n": 1}, "x": "`}
		}})
		return h.Load(folder("schema = 1\nid = \"hi\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n[config.thing]\ntype = \"string\"\n"+
			"[[tool]]\nname = \"hi.make\"\nfunction = \"_start\"\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"commit\"\nreconcile = \""+reconcile+"\"\n",
			fixture(t, "config.wasm").Bytes)) // which answers {"config": "…"} and escapes nothing
	}
	_, err := load("run_tset")
	wantError(t, err, tool.ToolUnavailable, "no_such_function")
	p, err := load("run_test")
	must.Succeed(t, err)
	got, err := p.Tools()[0].(tool.Reconciler).Reconcile(t.Context(), tool.Call{Tool: "hi.make"})
	must.Succeed(t, err)
	want := tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"n": 1.0})}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("finding (-want +got):\n%s", d)
	}
}
