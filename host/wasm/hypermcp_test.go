package wasm_test

import (
	"context"
	"encoding/json"
	"fmt"
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

// described are a plugin's tools in a few words each.
func described(tools []wasm.DescribedTool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, fmt.Sprintf("%s = %q %s %s %q %s", t.Name, t.Function, t.SideEffectClass, t.Effect, t.Description, t.ArgsSchema))
	}
	return out
}

func TestDescribeTools(t *testing.T) {
	tests := []struct {
		guest string
		want  []string
	}{
		{"mcp-v1", []string{
			`g.think = "think" write commit "Says the thought back" {"type":"object","properties":{"thought":{"type":"string"}},"required":["thought"]}`,
			`g.picture = "picture" write commit "A picture" {"type":"object"}`,
			`g.fail = "fail" write commit "Fails" {"type":"object"}`,
			`g.break = "break" write commit "Breaks" {"type":"object"}`,
		}},
		{"mcp-v2", []string{
			`g.add = "add" read read "Adds" {"properties":{"a":{"type":"number"},"b":{"type":"number"}},"type":"object"}`,
			`g.ask-a-person = "ask a person" write commit "Asks" {"type":"object"}`,
			`g.ask-a-person-8049be80 = "ask-a-person" write commit "Asks as well" {"type":"object"}`,
			`g.sample = "sample" write commit "Wants a model" {"type":"object"}`,
			`g.roots = "roots" write commit "Lists its folders" {"type":"object"}`,
			`g.notify = "notify" write commit "Tells" {"type":"object"}`,
			`g.blocks = "blocks" write commit "Every block" {"type":"object"}`,
			`g.a_tool_with_a_name_that_is_by_far_too_long_for_what_a-d7562c9a = "a_tool_with_a_name_that_is_by_far_too_long_for_what_a_tool_may_be_called" write commit "a_tool_with_a_name_that_is_by_far_too_long_for_what_a_tool_may_be_called" {"type":"object"}`,
		}},
	}
	h := newHost(t, wasm.Options{})
	for _, tt := range tests {
		t.Run(tt.guest, func(t *testing.T) {
			m := guest(t, tt.guest)
			if i, err := wasm.Inspect(m.Bytes); err != nil || !wasm.IsHyperMCP(&i) {
				t.Errorf("it is not known for what it is (%v)", err)
			}
			tools, err := h.DescribeTools(t.Context(), m, "g", nil)
			must.Succeed(t, err)
			if diff := cmp.Diff(tt.want, described(tools)); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			for _, tl := range tools {
				if len(tl.Name) > 64 {
					t.Errorf("%s has %d bytes", tl.Name, len(tl.Name))
				}
			}
		})
	}
	_, err := h.DescribeTools(t.Context(), fixture(t, "hello.wasm"), "g", nil)
	wantError(t, err, tool.ToolUnavailable, "wrong_abi")
}

// TestDescribeToolsBySettings: what a plugin offers may depend on its settings.
// One tool whose schema can't be used is no reason to lose the others.
func TestDescribeToolsBySettings(t *testing.T) {
	h := newHost(t, wasm.Options{})
	tools, err := h.DescribeTools(t.Context(), guest(t, "mcp-v1"), "g", map[string]string{"more": "yes"})
	must.Succeed(t, err)
	got := described(tools)
	if len(got) != 1 || got[0] != `g.more = "more" write commit "More (its arguments are not checked here: its schema is not valid)" {"type":"object"}` {
		t.Errorf("it offers %q", got)
	}
}

// mcpPlugin makes a plugin's manifest of what it says of itself, as installing
// does, and answers a function that calls its tools.
func mcpPlugin(t *testing.T, h *wasm.Host, m wasm.Module) func(t *testing.T, name string, args map[string]any) (tool.Result, error) {
	t.Helper()
	described, err := h.DescribeTools(t.Context(), m, "g", nil)
	must.Succeed(t, err)
	toml := "schema = 1\nid = \"g\"\nversion = \"1.0.0\"\ndescription = \"d\"\nmodule = \"g.wasm\"\nabi = \"hyper-mcp\"\n[[paths]]\nroot = \"files.roots\"\n"
	for _, d := range described {
		toml += fmt.Sprintf("[[tool]]\nname = %q\nfunction = %q\ndescription = %q\nside_effect_class = %q\neffect = %q\nargs_schema = %q\n",
			d.Name, d.Function, d.Description, d.SideEffectClass, d.Effect, d.ArgsSchema)
	}
	p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(toml)}, "g.wasm": {Data: m.Bytes}})
	must.Succeed(t, err)
	return func(t *testing.T, name string, args map[string]any) (tool.Result, error) {
		t.Helper()
		for _, tl := range p.Tools() {
			if tl.Spec().Name == "g."+name {
				return tl.Call(t.Context(), tool.Call{Tool: "g." + name, ActionID: "c1", Args: args})
			}
		}
		t.Fatalf("there is no tool g.%s", name)
		return tool.Result{}, nil
	}
}

// TestHyperMCP calls the tools of plugins of both versions.
func TestHyperMCP(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	root := t.TempDir()
	h := newHost(t, wasm.Options{
		Roots: map[string][]string{"files.roots": {root}},
		Log: func(_ context.Context, _, level string, line message.Message) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, level+" "+i18n.English().Text(line))
		},
	})
	object := func(s string) any {
		var v any
		must.Succeed(t, json.Unmarshal([]byte(s), &v))
		return v
	}
	tests := []struct {
		guest, tool string
		args        map[string]any
		want        any
		code        string // of the error
		message     string
		log         []string
	}{
		{guest: "mcp-v1", tool: "think", args: map[string]any{"thought": "deep"}, want: "a deep thought"},
		{guest: "mcp-v1", tool: "think", args: map[string]any{"thought": "wide"}, want: object(`[1, 2]`)},
		{guest: "mcp-v1", tool: "picture", want: object(`{"content": [
			{"type": "text", "text": "here"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"},
			{"type": "resource", "text": "inside", "mimeType": "text/plain"}]}`)},
		{guest: "mcp-v1", tool: "fail", code: "plugin_error", message: "no such thing"},
		{guest: "mcp-v1", tool: "break", code: "plugin_error", message: "it broke"},
		{guest: "mcp-v2", tool: "add", args: map[string]any{"a": 2, "b": 0.5}, want: object(`{"sum": 2.5, "id": "c1"}`)},
		{
			guest: "mcp-v2", tool: "ask-a-person", want: object(`{"action": "decline"}`),
			log: []string{"info it asked a question, which was declined because plugins can't ask during a call: May I?"},
		},
		{guest: "mcp-v2", tool: "ask-a-person-8049be80", code: "plugin_error", message: "there is no tool ask-a-person"},
		{guest: "mcp-v2", tool: "sample", code: "no_sampling", message: "a language model"},
		{guest: "mcp-v2", tool: "roots", want: object(`{"roots": [{"uri": "file:///root/0"}]}`)},
		{guest: "mcp-v2", tool: "notify", want: "told", log: []string{
			"warn mine: beware", `info {"n":1}`, "info its list of tools changed: install the plugin again to use the new list",
		}},
		{guest: "mcp-v2", tool: "blocks", want: object(`{"content": [
			{"type": "text", "text": "hello"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"},
			{"type": "audio", "data": "aGk=", "mimeType": "audio/ogg"}, {"type": "resource", "uri": "x:1", "text": "inside"},
			{"type": "resource", "uri": "x:2", "blob": "aGk=", "mimeType": "image/png"}, {"type": "resource_link", "uri": "x:3", "name": "link"}]}`)},
	}
	calls := map[string]func(*testing.T, string, map[string]any) (tool.Result, error){}
	for _, tt := range tests {
		t.Run(tt.guest+"/"+tt.tool, func(t *testing.T) {
			if calls[tt.guest] == nil {
				calls[tt.guest] = mcpPlugin(t, h, guest(t, tt.guest))
			}
			lines = nil
			r, err := calls[tt.guest](t, tt.tool, tt.args)
			if err != nil { // how a call ends that may have changed something
				r = tool.Result{Error: tool.AsError(err)}
			}
			switch {
			case tt.code != "" && (r.Error == nil || r.Error.Code != tt.code || !strings.Contains(i18n.English().Text(r.Error.Message), tt.message)):
				t.Fatalf("%+v, want the error %s: %s", r.Error, tt.code, tt.message)
			case tt.code == "" && r.Error != nil:
				t.Fatal(r.Error)
			}
			if diff := cmp.Diff(tt.want, r.Payload); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.log, lines); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}
