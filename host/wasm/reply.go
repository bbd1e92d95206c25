package wasm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// request is the standard input of a WASI command.
type request struct {
	Tool     string         `json:"tool"`
	Args     map[string]any `json:"args"`
	Config   map[string]any `json:"config"`
	ActionID string         `json:"call_id"`
	Key      string         `json:"idempotency_key"` // names the effect; empty for reads
	// Part is the name of a temporary file or folder that the call may make beside each path
	// that it writes; see [tool.PartName].
	Part string `json:"part,omitempty"`
	// New has the arguments whose file or folder was made since the call began whose outcome
	// is to be found out.
	New []string `json:"new,omitempty"`
}

// reply is the standard output of a WASI command.
type reply struct {
	OK      bool       `json:"ok"`
	Payload any        `json:"payload"`
	Facts   []string   `json:"facts"` // "exists:/root/0/x": what the call changed
	Undo    *replyUndo `json:"undo"`  // what takes the call back
	State   string     `json:"state"` // of an entry that reconciles: committed, released or unknown
	Error   *replyFail `json:"error"`
}

type replyUndo struct {
	Tool string         `json:"tool"` // of the plugin's own names
	Args map[string]any `json:"args"`
}

type replyFail struct {
	Class       tool.Class `json:"class"` // an unknown class becomes execution_error
	Code        string     `json:"code"`
	Message     string     `json:"message"`
	Hint        string     `json:"hint"`
	Recoverable bool       `json:"recoverable"`
	Retriable   bool       `json:"retriable"`
	Permanent   bool       `json:"permanent"`
	// RetryAfterMS is when to repeat the call. It implies that the call had no
	// effect.
	RetryAfterMS int64 `json:"retry_after_ms"`
	// Texts are a bundled plugin's Message and Hint as codes; see bundledText.
	Texts json.RawMessage `json:"texts"`
}

func commandInput(call tool.Call, args, config map[string]any, part string, newPaths []string) ([]byte, error) {
	if args == nil {
		args = map[string]any{}
	}
	return json.Marshal(request{Tool: call.Tool, Args: args, Config: config, ActionID: call.ActionID, Key: call.Key, Part: part, New: newPaths})
}

func extismInput(args map[string]any) ([]byte, error) {
	if args == nil {
		args = map[string]any{}
	}
	return json.Marshal(args)
}

// decode parses a plugin's answer, which is one JSON object.
func decode(b []byte) (reply, error) {
	var r reply
	if !utf8.Valid(b) {
		return r, message.Error("plugin.answer_not_utf8")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err := d.Decode(&r)
	if err == nil && d.More() {
		err = message.Error("plugin.several_json_values")
	}
	if err == nil {
		err = checkDuplicates(b)
	}
	if err == nil {
		err = checkKeys(b)
	}
	if err == nil {
		err = r.checkSize()
	}
	if err == nil {
		r.Payload, err = jsonstrict.ConvertNumbers(r.Payload)
	}
	if err == nil && r.Undo != nil {
		_, err = jsonstrict.ConvertNumbers(r.Undo.Args) // in place
	}
	return r, err
}

// checkKeys refuses an answer without an outcome, keys with the wrong case, and an
// undo that can't be stored exactly.
func checkKeys(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for object, keys := range map[string][]string{
		"":      {"ok", "payload", "facts", "undo", "state", "error"},
		"undo":  {"tool", "args"},
		"error": {"class", "code", "message", "hint", "recoverable", "retriable", "retry_after_ms"},
	} {
		in := fields
		if object != "" {
			in = nil
			_ = json.Unmarshal(fields[object], &in) // stays empty unless it is an object
		}
		if wrong, own, found := jsonstrict.FindCaseVariant(in, keys...); found {
			return message.Error("plugin.key_in_other_case", "key", wrong, "proper", own)
		}
	}
	// Truncated text may end in half a character, which is harmless in a message.
	// In an undo it would name a different file.
	if err := jsonstrict.CheckText(fields["undo"]); err != nil {
		return message.Error("plugin.bad_undo", "cause", err)
	}
	if fields["ok"] == nil && fields["error"] == nil && fields["state"] == nil {
		return message.Error("plugin.reply_without_outcome")
	}
	return nil
}

// checkDuplicates refuses JSON with a duplicate key in an object.
func checkDuplicates(b []byte) error {
	if at, twice := jsonstrict.FindDuplicate(b); twice {
		return message.Error("plugin.key_twice", "key", at)
	}
	return nil
}

// describeJSONError describes a JSON error without Go types.
func describeJSONError(err error) message.Message {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return message.New("plugin.json_missing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return message.New("plugin.json_ends_early")
	case errors.As(err, &kind) && kind.Field == "":
		return message.New("plugin.request_of_type", "type", kind.Value)
	case errors.As(err, &kind):
		return message.New("plugin.json_key_of_type", "key", kind.Field, "type", kind.Value)
	}
	return message.FromError(err)
}

// badReply says why an answer is not one, with its beginning if there is one.
func (t *pluginTool) badReply(err error, data []byte) message.Message {
	if len(data) == 0 {
		return message.New("plugin.bad_reply", "plugin", t.manifest.ID, "fault", describeJSONError(err))
	}
	return clipTexts(message.New("plugin.bad_reply_of", "plugin", t.manifest.ID, "fault", describeJSONError(err), "start", stack.Clip(data, 80)))
}

// commandResult converts the answer of a WASI command.
func (t *pluginTool) commandResult(ctx context.Context, done engine.Outcome) tool.Result {
	r, err := decode(done.Data)
	switch {
	case done.Code != 0 && (err != nil || r.Error == nil):
		hint := message.New("plugin.see_log")
		if !done.Logged {
			hint = message.New("plugin.write_why_it_exits")
		}
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_exited", message.New("plugin.exited", "name", t.name(), "code", int32(done.Code))).
			WithHint(hint))
	case err != nil:
		return failedResult(tool.NewError(tool.ExecutionError, "bad_output", t.badReply(err, done.Data)).
			WithHint(message.New("plugin.write_one_object")))
	case r.Error != nil:
		return failedResult(t.withHostPaths(t.replyError(r.Error)))
	case !r.OK:
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_error", message.New("plugin.failed_and_gave_no_reason", "plugin", t.manifest.ID)))
	}
	return t.result(ctx, r)
}

// result converts a successful answer.
func (t *pluginTool) result(ctx context.Context, r reply) tool.Result {
	result := tool.OK(t.roots.toHost(r.Payload))
	result.Facts = t.roots.facts(r.Facts)
	result.Undo = t.inverse(ctx, r.Undo)
	return result
}

// inverse converts the undo call of a plugin's answer. A plugin may name only its
// own tools that change something, with arguments that they take. An undo that can't be
// done is dropped with a warning in the log. It is not an error, because an error would
// mean that the call had no effect.
func (t *pluginTool) inverse(ctx context.Context, u *replyUndo) *tool.Inverse {
	if u == nil {
		return nil
	}
	args, _ := t.roots.toHost(u.Args).(map[string]any)
	if args == nil {
		args = map[string]any{}
	}
	if fault := t.checkUndo(u.Tool, args); !fault.IsZero() {
		t.host.log(ctx, t.manifest.ID, "warn", message.New("plugin.undo_ignored", "tool", t.spec.Name, "fault", fault))
		return nil
	}
	return &tool.Inverse{Tool: u.Tool, Args: args}
}

// checkUndo returns why a call can't undo another, or zero. A bundled plugin may also name
// tools of the program under its own id.
func (t *pluginTool) checkUndo(name string, args map[string]any) message.Message {
	i := slices.IndexFunc(t.manifest.Tools, func(other manifest.Tool) bool { return other.Name == name })
	switch {
	case i < 0 && t.bundled && t.manifest.OwnsTool(name):
		return message.Message{}
	case i < 0:
		return message.New("plugin.undo_by_no_tool", "undo", stack.Clip(name, 80))
	case t.manifest.Tools[i].SideEffectClass == tool.Read:
		return message.New("plugin.undo_by_read", "undo", name)
	}
	if e := t.host.schemas.Check(t.manifest.Spec(t.manifest.Tools[i]), args); e != nil {
		return e.Message
	}
	if _, _, err := t.roots.toGuest(args, json.RawMessage(t.manifest.Tools[i].ArgsSchema)); err != nil {
		return message.FromError(err)
	}
	return message.Message{}
}

// replyError converts the error of a plugin's answer. Its words are verbatim and name the
// plugin, except those of a bundled plugin, which have codes.
func (t *pluginTool) replyError(f *replyFail) *tool.Error {
	e := f.toError(t.manifest.ID)
	if t.bundled {
		e.Message, e.Hint = f.bundledTexts(e.Message, e.Hint)
		return e
	}
	if _, own := e.Message.Text(); own {
		e.Message = t.says(e.Message)
	}
	if hint, _ := e.Hint.Text(); strings.TrimSpace(hint) == "" {
		e.Hint = message.Message{}
	} else {
		e.Hint = message.New("plugin.suggests", "plugin", t.manifest.ID, "text", oneParagraph(hint))
	}
	if e.Class == tool.PolicyDenied { // only Errand decides by policy
		e.Class = tool.ExecutionError
	}
	e.Code = "plugin_error"
	if isShortCode().MatchString(f.Code) {
		e.Code = tool.PluginCode + f.Code
	}
	return e
}

// isShortCode matches the codes that a plugin may give its errors.
var isShortCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`) })

// says returns a text of the plugin on one line, with the plugin's name unless the plugin
// is part of the program.
func (t *pluginTool) says(said message.Message) message.Message {
	if t.bundled {
		return said
	}
	return message.New("plugin.says", "plugin", t.manifest.ID, "text", said.MapText(oneParagraph))
}

func (f *replyFail) toError(plugin string) *tool.Error {
	e := &tool.Error{
		Class: f.Class, Code: stack.Clip(f.Code, stack.MaxName),
		Message: message.Verbatim(stack.Clip(f.Message, stack.MaxText)), Hint: message.Verbatim(stack.Clip(f.Hint, stack.MaxText)),
		Recoverable: f.Recoverable, Retriable: f.Retriable && !f.Permanent, Permanent: f.Permanent, RetryAfterMS: max(f.RetryAfterMS, 0),
	}
	switch f.Class {
	case tool.ValidationError, tool.PolicyDenied, tool.ToolTimeout, tool.ToolUnavailable:
	default:
		e.Class = tool.ExecutionError
	}
	if e.Code == "" {
		e.Code = "plugin_error"
	}
	if strings.TrimSpace(f.Message) == "" {
		e.Message = message.New("plugin.failed_and_gave_no_reason", "plugin", plugin)
	}
	return e
}

// extismResult converts the output of an Extism function: JSON or text.
func (t *pluginTool) extismResult(done engine.Outcome) tool.Result {
	if done.Failed || done.Code != 0 {
		if e, ok := t.typedFault(done.ErrorText); ok {
			return failedResult(e)
		}
		answer := t.says(extism.ErrorMessage(t.roots.textToHost(stack.Clip(done.ErrorText, stack.MaxText))))
		if !done.Failed {
			answer = message.New("plugin.ended", "name", t.name(), "code", int32(done.Code))
		}
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_error", answer))
	}
	if !utf8.Valid(done.Data) {
		return failedResult(tool.NewError(tool.ExecutionError, "bad_output", message.New("plugin.answer_not_text", "plugin", t.manifest.ID)))
	}
	if payload, err := jsonstrict.Decode(done.Data); err == nil {
		if err := checkDuplicates(done.Data); err != nil {
			return failedResult(tool.NewError(tool.ExecutionError, "bad_output", clipTexts(message.New("plugin.ambiguous_answer", "plugin", t.manifest.ID, "cause", err))).
				WithHint(message.New("plugin.write_keys_once")))
		}
		return tool.OK(t.roots.toHost(payload))
	}
	return tool.OK(t.roots.hostPath(string(done.Data)))
}
