package wasm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"errand/host/tool"
)

// request is what a WASI command reads from its standard input.
type request struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Config map[string]any `json:"config"`
	CallID string         `json:"call_id"`
}

// reply is what a WASI command writes to its standard output.
type reply struct {
	OK      bool       `json:"ok"`
	Payload any        `json:"payload"`
	Facts   []string   `json:"facts"` // "exists:/root/0/x": what the call changed
	Error   *replyFail `json:"error"`
}

type replyFail struct {
	Class       tool.Class `json:"class"` // execution_error where it is none of the known ones
	Code        string     `json:"code"`
	Message     string     `json:"message"`
	Hint        string     `json:"hint"`
	Recoverable bool       `json:"recoverable"`
	Retriable   bool       `json:"retriable"`
}

func commandInput(call tool.Call, args, config map[string]any) ([]byte, error) {
	if args == nil {
		args = map[string]any{}
	}
	return json.Marshal(request{Tool: call.Tool, Args: args, Config: config, CallID: call.CallID})
}

func extismInput(args map[string]any) ([]byte, error) {
	if args == nil {
		args = map[string]any{}
	}
	return json.Marshal(args)
}

// commandResult reads what a WASI command answered.
func (t *pluginTool) commandResult(done outcome) tool.Result {
	var r reply
	d := json.NewDecoder(bytes.NewReader(done.data))
	err := d.Decode(&r)
	if err == nil && d.More() {
		err = fmt.Errorf("there is more than one JSON value")
	}
	switch {
	case done.code != 0 && (err != nil || r.Error == nil):
		return failed(tool.Errorf(tool.ExecutionError, "plugin_exited", "plugin %s ended with exit code %s", t.manifest.ID, exitCode(done.code)).
			WithHint("its log says more"))
	case err != nil:
		return failed(tool.Errorf(tool.ExecutionError, "bad_output", "plugin %s answered what is not the JSON object it should: %v: %q",
			t.manifest.ID, err, clip(string(done.data), 80)))
	case r.Error != nil:
		return failed(t.placed(r.Error.typed(t.manifest.ID)))
	case !r.OK:
		return failed(tool.Errorf(tool.ExecutionError, "plugin_error", "plugin %s failed and gave no reason", t.manifest.ID))
	}
	result := tool.OK(t.roots.toHost(r.Payload))
	result.Facts = t.roots.facts(r.Facts)
	return result
}

func (f *replyFail) typed(plugin string) *tool.Error {
	e := &tool.Error{
		Class: f.Class, Code: f.Code, Message: f.Message, Hint: f.Hint,
		Recoverable: f.Recoverable, Retriable: f.Retriable,
	}
	switch f.Class {
	case tool.ValidationError, tool.PolicyDenied, tool.ToolTimeout, tool.ToolUnavailable:
	default:
		e.Class = tool.ExecutionError
	}
	if e.Code == "" {
		e.Code = "plugin_error"
	}
	if strings.TrimSpace(e.Message) == "" {
		e.Message = "plugin " + plugin + " failed and gave no reason"
	}
	return e
}

// extismResult reads what an Extism function left: JSON, or a text.
func (t *pluginTool) extismResult(done outcome) tool.Result {
	if done.fault != "" || done.code != 0 {
		message := done.fault
		if message == "" {
			message = fmt.Sprintf("plugin %s ended with code %s", t.manifest.ID, exitCode(done.code))
		}
		return failed(tool.Errorf(tool.ExecutionError, "plugin_error", "%s", t.roots.inText(message)))
	}
	var payload any
	if err := json.Unmarshal(done.data, &payload); err == nil {
		return tool.OK(t.roots.toHost(payload))
	}
	if !utf8.Valid(done.data) {
		return failed(tool.Errorf(tool.ExecutionError, "bad_output", "plugin %s answered neither JSON nor text", t.manifest.ID))
	}
	return tool.OK(t.roots.hostPath(string(done.data)))
}
