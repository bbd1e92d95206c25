package llm

import (
	"context"
	"encoding/json"
	"slices"

	"errand/host/tool"
)

// FunctionTool is a tool in a request to OpenAI or Ollama.
type FunctionTool struct {
	Type     string   `json:"type"` // function
	Function Function `json:"function"`
}

// Function is what a model may call.
type Function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON Schema
}

// FunctionTools returns tools by their wire names.
func FunctionTools(specs []tool.Spec, names WireNames) (out []FunctionTool) {
	for _, s := range specs {
		description, parameters := Parameters(s)
		out = append(out, FunctionTool{"function", Function{names.Wire(s.Name), description, parameters}})
	}
	return out
}

// ListIDs gets the ids of the models in an answer {"data": [{"id": "…"}]}, sorted.
func (e Endpoint) ListIDs(ctx context.Context, path string) ([]string, error) {
	var answer struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := e.Exchange(ctx, path, nil, &answer); err != nil {
		return nil, err
	}
	ids := make([]string, len(answer.Data))
	for i, m := range answer.Data {
		ids[i] = m.ID
	}
	slices.Sort(ids)
	return ids, nil
}
