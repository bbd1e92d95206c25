package hypermcp

import "encoding/json"

// Version is the version of a plugin's interface; zero: [None].
type Version int

// Versions.
const (
	None Version = iota
	V1           // describe, call
	V2           // list_tools, call_tool
)

// DetectVersion returns the version of a module, by its exported functions.
func DetectVersion(exports func(name string) bool) Version {
	switch {
	case exports("describe") && exports("call"):
		return V1
	case exports("list_tools") && exports("call_tool"):
		return V2
	}
	return None
}

// List returns the name of the function that lists the tools.
func (v Version) List() string { return [...]string{"", "describe", "list_tools"}[v] }

// Call returns the name of the function that calls a tool.
func (v Version) Call() string { return [...]string{"", "call", "call_tool"}[v] }

// origin is the context of a request.
type origin struct {
	ID   string         `json:"id"`
	Meta map[string]any `json:"_meta"`
}

// params are the parameters of a tool call.
type params struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// ListInput returns the input of [Version.List].
func (v Version) ListInput() ([]byte, error) {
	if v == V1 {
		return nil, nil
	}
	return json.Marshal(map[string]any{"context": origin{ID: "list", Meta: map[string]any{}}})
}

// CallInput returns the input of [Version.Call]. tool is the plugin's own name.
func (v Version) CallInput(callID, tool string, args map[string]any) ([]byte, error) {
	if args == nil {
		args = map[string]any{}
	}
	p := params{tool, args}
	if v == V1 {
		return json.Marshal(map[string]any{"params": p})
	}
	return json.Marshal(map[string]any{"request": p, "context": origin{ID: callID, Meta: map[string]any{}}})
}
