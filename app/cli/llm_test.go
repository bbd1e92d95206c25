package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// answerScript answers the scripts' requests to language models by the name of the model.
func answerScript(_ int, r llmtest.Received) llmtest.Answer {
	var body struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(r.Body, &body)
	if strings.HasPrefix(body.Model, "task") {
		return doTask(body.Model, r)
	}
	switch body.Model {
	case "gone":
		return llmtest.Answer{Status: http.StatusNotFound, Body: `{"error":{"message":"model gone does not exist"}}`}
	case "refused":
		return llmtest.Answer{Status: http.StatusUnauthorized, Body: `{"error":{"message":"bad key ` + r.Header.Get("Authorization") + `"}}`}
	case "moved":
		return llmtest.Answer{Status: http.StatusTemporaryRedirect, Header: http.Header{"Location": {"/v1/chat/completions"}}, Body: "{}"}
	}
	return llmtest.Answer{Text: "Hello!", Usage: llm.Usage{In: 8, Out: 3}}
}

// grantedFolder finds the first folder that a request names.
var grantedFolder = regexp.MustCompile(`\\"folders\\":\[\\"([^"\\]+)`)

// doTask plays a model that works on a task, by the number of results that it has seen: it
// calculates and reads a file at once, sends arguments that are cut, and answers with what it
// read. The last word of its name says what else it tries.
func doTask(model string, r llmtest.Received) llmtest.Answer {
	results := bytes.Count(r.Body, []byte(`"role":"tool"`)) + bytes.Count(r.Body, []byte(`"type":"tool_result"`))
	call := func(name string, args map[string]any) llm.Call { return llm.Call{Name: name, Args: args} }
	folder := ""
	if m := grantedFolder.FindSubmatch(r.Body); m != nil {
		folder = string(m[1])
	}
	read := call("files.read", map[string]any{"path": folder + "/notes.txt"})
	switch {
	case model == "task-write" && results == 0:
		return llmtest.Answer{Calls: []llm.Call{call("files.delete_file", map[string]any{"path": folder + "/notes.txt"})}}
	case model == "task-write" && bytes.Contains(r.Body, []byte(`\"code\":\"rejected\"`)):
		return llmtest.Answer{Text: "You did not want that."}
	case model == "task-write":
		return llmtest.Answer{Text: "It is gone."}
	case model == "task-unlisted" && results == 0:
		return llmtest.Answer{Calls: []llm.Call{call("system.query", map[string]any{"target": "time"})}}
	case model == "task-unknown":
		return llmtest.Answer{Calls: []llm.Call{call("no.such", map[string]any{"n": results})}}
	case model == "task-loop":
		return llmtest.Answer{Calls: []llm.Call{call("system.calculate", map[string]any{"expression": "1+1"})}}
	case model == "task-silent":
		return llmtest.Answer{}
	case results == 0:
		return llmtest.Answer{Text: "Reading.", Calls: []llm.Call{call("system.calculate", map[string]any{"expression": "6*7"}), read}, Usage: llm.Usage{In: 100, Out: 20}}
	case results == 2:
		return llmtest.Answer{Calls: []llm.Call{{Name: "files.read", Malformed: `["cut"]`}}, Usage: llm.Usage{In: 200, Out: 10}}
	case bytes.Contains(r.Body, []byte("malformed_args")) && bytes.Contains(r.Body, []byte(`/notes.txt\\\">`)) && bytes.Contains(r.Body, []byte("42")) && bytes.Contains(r.Body, []byte("buy oats")):
		return llmtest.Answer{Text: "It is 42, and you should buy oats.", Usage: llm.Usage{In: 300, Out: 12}}
	}
	return llmtest.Answer{Text: "something is missing: " + string(r.Body)}
}
