package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	"errand/planner/message"
)

// IsHyperMCP reports whether a module is a hyper-mcp plugin. [Host.DescribeTools]
// returns the tools of such a module.
func IsHyperMCP(i *Inspection) bool {
	return i.ABI == inspect.Extism && fit.HyperMCPVersion(i) != hypermcp.None
}

// DescribedTool is a tool of a plugin that lists its tools itself.
type DescribedTool struct {
	manifest.Tool
	Declared   bool   // the plugin says whether the tool changes something
	Definition string // SHA-256 of all that the plugin says about the tool, in hex
}

// DescribeTools runs a hyper-mcp plugin and returns its tools for the manifest of
// a plugin with this id. The plugin gets its configuration, because its tools may
// depend on it. It gets no folders and no network.
//
// The plugin's description grants nothing. A tool is of class write unless it
// declares itself read-only, and then that is enforced ([manifest.Tool]). The user
// sees the class at installation. A tool name that is not valid here is changed;
// Function keeps the plugin's own name.
func (h *Host) DescribeTools(ctx context.Context, m Module, id string, config map[string]string) ([]DescribedTool, error) {
	i, err := inspect.Read(m.Bytes)
	if err != nil {
		return nil, withModuleName(tool.UnavailableError("bad_module", message.FromError(err)), m.Name)
	}
	v := fit.HyperMCPVersion(&i)
	if v == hypermcp.None {
		return nil, fit.NotHyperMCP(m.Name)
	}
	input, err := v.ListInput()
	if err != nil {
		return nil, err
	}
	out, err := h.Call(ctx, m, v.List(), input, CallOptions{Config: config})
	if err != nil {
		return nil, err
	}
	if !out.Error.IsZero() {
		return nil, tool.NewError(tool.ExecutionError, "plugin_error", message.New("plugin.no_tool_list", "name", m.Name, "cause", out.Error))
	}
	described, err := hypermcp.Tools(out.Data)
	if err != nil {
		return nil, tool.NewError(tool.ExecutionError, "bad_output", clipTexts(message.New("module.of", "module", m.Name, "fault", err)))
	}
	tools := make([]DescribedTool, 0, len(described))
	taken := map[string]bool{}
	for _, d := range described {
		t := manifest.Tool{
			Name: toolName(id, d.Name, taken), Function: d.Name, Description: stack.Clip(oneParagraph(d.Description), 2000),
			SideEffectClass: tool.Write, Effect: tool.EffectCommit, RetryProfile: tool.RetryNone, ArgsSchema: string(d.Schema),
		}
		if problem := schema.Vet(d.Schema); problem != nil { // an invalid schema loses only its own tool
			t.ArgsSchema = `{"type":"object"}`
			t.Description += " (its arguments are not checked here: its schema is not valid)"
		}
		if d.ReadOnly {
			t.SideEffectClass, t.Effect = tool.Read, tool.EffectRead
		}
		taken[t.Name] = true
		tools = append(tools, DescribedTool{t, d.Declared, d.Definition})
	}
	return tools, nil
}

// maxToolName is the maximum length of a tool's name, in bytes.
const maxToolName = 64

// toolName joins the plugin's id and the tool's own name, with a dash for each
// invalid character. If the result is too long or taken, it ends with a digest of
// the own name.
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

// oneParagraph replaces line breaks and other control characters in a text.
func oneParagraph(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// mcpResult converts the answer of a hyper-mcp tool.
func (t *pluginTool) mcpResult(done engine.Outcome) tool.Result {
	if done.Failed || done.Code != 0 {
		return t.extismResult(done)
	}
	r, err := hypermcp.Read(done.Data)
	switch {
	case err != nil:
		return failedResult(tool.NewError(tool.ExecutionError, "bad_output", clipTexts(message.New("plugin.of", "name", t.name(), "cause", err))))
	case r.Failed && r.Message == "":
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_error", message.New("plugin.failed_and_gave_no_reason", "plugin", t.manifest.ID)))
	case r.Failed:
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_error", t.says(message.Verbatim(t.roots.textToHost(stack.Clip(r.Message, stack.MaxText))))))
	}
	return tool.OK(t.roots.toHost(r.Payload))
}

// mcpFunctions are the host functions for hyper-mcp plugins. Notifications go to
// the log. A question to the user is declined, because calls are not interactive.
// A request for a model ends the call.
var mcpFunctions = func() []extism.Function {
	tell := func(name string, say func(c *extism.Call, input []byte)) extism.Function {
		return extism.Function{Module: extism.UserModule, Name: name, Params: extism.Handle, Call: func(c *extism.Call, s []uint64) {
			say(c, c.Read(name, s[0]))
		}}
	}
	changed := func(list string, level extism.Level) extism.Function {
		name := "notify_" + list + "_list_changed"
		return extism.Function{Module: extism.UserModule, Name: name, Call: func(c *extism.Call, _ []uint64) {
			c.Report(level, message.New("plugin.log_list_changed", "list", list))
		}}
	}
	return []extism.Function{
		{
			Module: extism.UserModule, Name: "create_elicitation", Params: extism.Handle, Results: extism.Handle,
			Call: func(c *extism.Call, s []uint64) {
				c.Report(extism.Info, message.New("plugin.log_question_declined", "question", hypermcp.Question(c.Read("create_elicitation", s[0]))))
				s[0] = c.Write(hypermcp.Decline())
			},
		},
		{
			Module: extism.UserModule, Name: "create_message", Params: extism.Handle, Results: extism.Handle,
			Call: func(*extism.Call, []uint64) {
				panic(tool.NewError(tool.ExecutionError, "no_sampling", message.New("plugin.asked_for_model")).
					WithHint(message.New("plugin.no_model_tools")))
			},
		},
		{
			Module: extism.UserModule, Name: "list_roots", Results: extism.Handle,
			Call: func(c *extism.Call, s []uint64) { s[0] = c.Write(hypermcp.Roots(c.Folders)) },
		},
		tell("notify_logging_message", func(c *extism.Call, input []byte) {
			level, line := hypermcp.Message(input)
			c.Report(extism.ParseLevel(level), message.Verbatim(line))
		}),
		tell("notify_progress", func(c *extism.Call, input []byte) { c.Report(extism.Debug, hypermcp.Progress(input)) }),
		tell("notify_resource_updated", func(*extism.Call, []byte) {}), // Errand uses no resources
		changed("tool", extism.Info),
		changed("prompt", extism.Debug),
		changed("resource", extism.Debug),
	}
}()
