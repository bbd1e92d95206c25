package cli

import (
	"encoding/json"
	"net/http"

	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// answerScript answers the scripts' requests to language models by the name of the model.
func answerScript(_ int, r llmtest.Received) llmtest.Answer {
	var body struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(r.Body, &body)
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
