package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/fit"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
)

// IsHyperMCP reports whether a module is a plugin of hyper-mcp, whose tools
// [Host.DescribeTools] can ask for.
func IsHyperMCP(i *Inspection) bool { return i.ABI == inspect.Extism && fit.Speaks(i) != hypermcp.None }

// DescribeTools asks a plugin of hyper-mcp for its tools, as they are to stand
// in the manifest of a plugin of that id. It runs the plugin, which gets its
// configuration, since it may offer what that allows it, and neither folder nor
// host.
//
// What a plugin says of itself grants nothing. A tool is of class write unless it
// says that it only reads, and then it is held to that ([manifest.Tool]); the
// person who installs it is shown either. A name that a tool can't have here is
// changed; function keeps the plugin's own.
func (h *Host) DescribeTools(ctx context.Context, m Module, id string, config map[string]string) ([]manifest.Tool, error) {
	i, err := inspect.Read(m.Bytes)
	if err != nil {
		return nil, named(badModule("%v", err), m.Name)
	}
	v := fit.Speaks(&i)
	if v == hypermcp.None {
		return nil, fit.NoHyperMCP(m.Name)
	}
	input, err := v.ListInput()
	if err != nil {
		return nil, err
	}
	out, err := h.Call(ctx, m, v.List(), input, CallOptions{Config: config})
	if err != nil {
		return nil, err
	}
	if out.Error != "" {
		return nil, tool.Errorf(tool.ExecutionError, "plugin_error", "%s does not list its tools: %s", m.Name, stack.Clip(out.Error, 500))
	}
	described, err := hypermcp.Tools(out.Data)
	if err != nil {
		return nil, tool.Errorf(tool.ExecutionError, "bad_output", "%s: %v", m.Name, err)
	}
	tools := make([]manifest.Tool, 0, len(described))
	taken := map[string]bool{}
	for _, d := range described {
		t := manifest.Tool{
			Name: toolName(id, d.Name, taken), Function: d.Name, Description: stack.Clip(oneParagraph(d.Description), 2000),
			SideEffectClass: tool.Write, Effect: tool.EffectCommit, RetryProfile: tool.RetryNone, ArgsSchema: string(d.Schema),
		}
		if flaw := schema.Vet(d.Schema); flaw != nil { // one tool's slip is no reason to lose the others
			t.ArgsSchema = `{"type":"object"}`
			t.Description += fmt.Sprintf(" (its arguments are not checked here: of its schema, %s)", stack.Clip(flaw.Message, 200))
		}
		if d.ReadOnly {
			t.SideEffectClass, t.Effect = tool.Read, tool.EffectRead
		}
		taken[t.Name] = true
		tools = append(tools, t)
	}
	return tools, nil
}

// maxToolName is the most bytes of a tool's name.
const maxToolName = 64

// toolName is the name of a plugin's tool: the plugin's id, and the tool's own
// with a dash for what a name can't have. Where that would be too long or
// is taken, its end is a digest of the own name.
func toolName(id, own string, taken map[string]bool) string {
	name := id + "." + strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)) {
			return r
		}
		return '-'
	}, own)
	if len(name) > maxToolName || taken[name] {
		sum := sha256.Sum256([]byte(own))
		end := "-" + hex.EncodeToString(sum[:4])
		name = name[:min(len(name), maxToolName-len(end))] + end
	}
	return name
}

// oneParagraph is a text without line breaks and other control characters.
func oneParagraph(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// mcpResult reads what a tool of hyper-mcp answered.
func (t *pluginTool) mcpResult(done engine.Outcome) tool.Result {
	if done.Fault != "" || done.Code != 0 {
		return t.extismResult(done)
	}
	r, err := hypermcp.Read(done.Data)
	switch {
	case err != nil:
		return failed(tool.Errorf(tool.ExecutionError, "bad_output", "plugin %s: %v", t.manifest.ID, err))
	case r.Failed && r.Message == "":
		return failed(tool.Errorf(tool.ExecutionError, "plugin_error", "plugin %s failed and gave no reason", t.manifest.ID))
	case r.Failed:
		return failed(tool.Errorf(tool.ExecutionError, "plugin_error", "%s", t.roots.inText(r.Message)))
	}
	return tool.OK(t.roots.toHost(r.Payload))
}

// mcpFunctions are what plugins of hyper-mcp may ask of their host. What they
// tell goes to the log. Nobody is there to be asked in the middle of a call, and
// no model is lent out; the first has an answer that says so, the second has none
// but the end of the call.
var mcpFunctions = func() []extism.Function {
	tell := func(name string, say func(c *extism.Call, input []byte)) extism.Function {
		return extism.Function{Module: extism.UserModule, Name: name, Params: extism.Handle, Call: func(c *extism.Call, s []uint64) {
			say(c, c.Read(name, s[0]))
		}}
	}
	changed := func(what string, level extism.Level) extism.Function {
		name := "notify_" + what + "_list_changed"
		return extism.Function{Module: extism.UserModule, Name: name, Call: func(c *extism.Call, _ []uint64) {
			c.Logf(level, "its list of %ss changed: install the plugin again to see what it has now", what)
		}}
	}
	return []extism.Function{
		{
			Module: extism.UserModule, Name: "create_elicitation", Params: extism.Handle, Results: extism.Handle,
			Call: func(c *extism.Call, s []uint64) {
				c.Logf(extism.Info, "it wanted to ask (declined: nobody is asked within a call): %s", hypermcp.Question(c.Read("create_elicitation", s[0])))
				s[0] = c.Write(hypermcp.Decline())
			},
		},
		{
			Module: extism.UserModule, Name: "create_message", Params: extism.Handle, Results: extism.Handle,
			Call: func(*extism.Call, []uint64) {
				panic(tool.Errorf(tool.ExecutionError, "no_sampling", "the plugin asked for a language model's answer, which no plugin gets here").
					WithHint("its tools that need a model can't be used"))
			},
		},
		{
			Module: extism.UserModule, Name: "list_roots", Results: extism.Handle,
			Call: func(c *extism.Call, s []uint64) { s[0] = c.Write(hypermcp.Roots(c.Folders)) },
		},
		tell("notify_logging_message", func(c *extism.Call, input []byte) {
			level, line := hypermcp.Message(input)
			c.Logf(extism.ParseLevel(level), "%s", line)
		}),
		tell("notify_progress", func(c *extism.Call, input []byte) { c.Logf(extism.Debug, "%s", hypermcp.Progress(input)) }),
		tell("notify_resource_updated", func(*extism.Call, []byte) {}), // nobody has its resources
		changed("tool", extism.Info),
		changed("prompt", extism.Debug),
		changed("resource", extism.Debug),
	}
}()
