package wasm

import (
	"slices"
	"unicode/utf8"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/host/wasm/engine"
	"errand/host/wasm/manifest"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// commandLineResult converts the output of a command that the manifest gave its
// arguments. log are the last lines of its standard error.
func (t *pluginTool) commandLineResult(done engine.Outcome, log []string) tool.Result {
	bad := func(m message.Message) tool.Result {
		return failedResult(tool.NewError(tool.ExecutionError, "bad_output", m))
	}
	code := int(int32(done.Code))
	if code != 0 && !slices.Contains(t.tool.ExitCodes, code) {
		exitMessage := message.New("plugin.exited", "name", t.name(), "code", code)
		if len(log) > 0 {
			exitMessage = message.New("plugin.exited_saying", "name", t.name(), "code", code, "text", log[len(log)-1])
		}
		return failedResult(tool.NewError(tool.ExecutionError, "plugin_exited", exitMessage))
	}
	if !utf8.Valid(done.Data) {
		return bad(message.New("plugin.answer_not_text", "plugin", t.manifest.ID))
	}
	if t.tool.Stdout != manifest.StdoutJSON {
		payload := map[string]any{"text": t.roots.textToHost(string(done.Data))}
		if len(t.tool.ExitCodes) > 0 {
			payload["exit_code"] = code
		}
		return tool.OK(payload)
	}
	payload, err := jsonstrict.Decode(done.Data)
	if err == nil {
		err = checkDuplicates(done.Data)
	}
	if err != nil {
		return bad(message.New("plugin.bad_json_output", "plugin", t.manifest.ID, "cause", describeJSONError(err), "start", stack.Clip(done.Data, 80)))
	}
	return tool.OK(t.roots.toHost(payload))
}
