// A plugin of hyper-mcp, version 2, with all that it may ask of its host.
package main

import (
	"encoding/json"
	"fmt"

	pdk "github.com/extism/go-pdk"
)

//go:wasmimport extism:host/user create_elicitation
func createElicitation(uint64) uint64

//go:wasmimport extism:host/user create_message
func createMessage(uint64) uint64

//go:wasmimport extism:host/user list_roots
func listRoots() uint64

//go:wasmimport extism:host/user notify_logging_message
func notifyLoggingMessage(uint64)

//go:wasmimport extism:host/user notify_progress
func notifyProgress(uint64)

//go:wasmimport extism:host/user notify_prompt_list_changed
func notifyPromptListChanged()

//go:wasmimport extism:host/user notify_resource_list_changed
func notifyResourceListChanged()

//go:wasmimport extism:host/user notify_resource_updated
func notifyResourceUpdated(uint64)

//go:wasmimport extism:host/user notify_tool_list_changed
func notifyToolListChanged()

type context struct {
	ID   *string        `json:"id"`
	Meta map[string]any `json:"_meta"`
}

//go:wasmexport list_tools
func listTools() int32 {
	var in struct{ Context context }
	if err := pdk.InputJSON(&in); err != nil || in.Context.ID == nil || in.Context.Meta == nil {
		return fail("list_tools wants its context: %v", err)
	}
	object := map[string]any{"type": "object"}
	return output(map[string]any{"tools": []any{
		map[string]any{"name": "add", "title": "Adds", "inputSchema": map[string]any{
			"properties": map[string]any{"a": map[string]any{"type": "number"}, "b": map[string]any{"type": "number"}},
		}, "annotations": map[string]any{"readOnlyHint": true}},
		map[string]any{"name": "ask a person", "description": "Asks", "inputSchema": object, "annotations": map[string]any{"readOnlyHint": false}},
		map[string]any{"name": "ask-a-person", "description": "Asks as well", "inputSchema": object},
		map[string]any{"name": "sample", "description": "Wants a model", "inputSchema": object},
		map[string]any{"name": "roots", "description": "Lists its folders", "inputSchema": object},
		map[string]any{"name": "notify", "description": "Tells", "inputSchema": object},
		map[string]any{"name": "blocks", "description": "Every block", "inputSchema": object},
		map[string]any{"name": "a_tool_with_a_name_that_is_by_far_too_long_for_what_a_tool_may_be_called", "inputSchema": object},
	}})
}

//go:wasmexport call_tool
func callTool() int32 {
	var in struct {
		Context context
		Request struct {
			Name      string
			Arguments map[string]any
		}
	}
	if err := pdk.InputJSON(&in); err != nil || in.Context.ID == nil {
		return fail("call_tool wants its context: %v", err)
	}
	switch in.Request.Name {
	case "add":
		a, _ := in.Request.Arguments["a"].(float64)
		b, _ := in.Request.Arguments["b"].(float64)
		return output(map[string]any{"content": []any{text(fmt.Sprint(a + b))}, "structuredContent": map[string]any{"sum": a + b, "id": *in.Context.ID}})
	case "ask a person":
		return say(read(createElicitation(allocate(map[string]any{"message": "May I?", "requestedSchema": map[string]any{}}))))
	case "sample":
		return say(read(createMessage(allocate(map[string]any{"maxTokens": 10, "messages": []any{}}))))
	case "roots":
		return say(read(listRoots()))
	case "notify":
		notifyLoggingMessage(allocate(map[string]any{"level": "warning", "logger": "mine", "data": "beware"}))
		notifyLoggingMessage(allocate(map[string]any{"level": "notice", "data": map[string]any{"n": 1}}))
		notifyLoggingMessage(allocate(map[string]any{"level": "debug", "data": "quiet"}))
		notifyProgress(allocate(map[string]any{"progress": 1, "total": 2, "progressToken": "t"}))
		notifyResourceUpdated(allocate(map[string]any{"uri": "x:y"}))
		notifyToolListChanged()
		notifyPromptListChanged()
		notifyResourceListChanged()
		return say("told")
	case "blocks": // some as the published templates write them: without their type
		return output(map[string]any{"content": []any{
			text("hello"),
			map[string]any{"data": "aGk=", "mimeType": "image/png"},
			map[string]any{"type": "audio", "data": "aGk=", "mimeType": "audio/ogg"},
			map[string]any{"resource": map[string]any{"uri": "x:1", "text": "inside"}},
			map[string]any{"type": "resource", "resource": map[string]any{"uri": "x:2", "blob": "aGk=", "mimeType": "image/png"}},
			map[string]any{"uri": "x:3", "name": "link"},
		}})
	}
	return output(map[string]any{"content": []any{text("there is no tool " + in.Request.Name)}, "isError": true})
}

func allocate(v any) uint64 {
	m, err := pdk.AllocateJSON(v)
	if err != nil {
		panic(err)
	}
	return m.Offset()
}

func read(at uint64) string {
	m := pdk.FindMemory(at)
	return string(m.ReadBytes())
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func say(s string) int32 { return output(map[string]any{"content": []any{text(s)}}) }

func output(v any) int32 {
	b, err := json.Marshal(v)
	if err != nil {
		return fail("%v", err)
	}
	pdk.Output(b)
	return 0
}

func fail(format string, args ...any) int32 {
	pdk.SetErrorString(fmt.Sprintf(format, args...))
	return -1
}

func main() {}
