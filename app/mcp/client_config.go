package mcp

import (
	"encoding/json"
	"strings"

	"errand/host/llm"
)

// Clients lists the names of the clients that [ClientConfig] knows.
func Clients() []string {
	return []string{"claude-desktop", "claude-code", "goose", "vscode", "cursor"}
}

// stdioServer is a server in the configuration of a client.
type stdioServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// ClientConfig returns what a client's configuration needs to start a program. ok is false for an
// unknown client.
func ClientConfig(client, program string, args []string) (text string, ok bool) {
	server := stdioServer{Command: program, Args: args}
	switch client {
	case "claude-desktop", "cursor":
		return indent(map[string]any{"mcpServers": map[string]any{"errand": server}}), true
	case "claude-code":
		server.Type = "stdio"
		return indent(map[string]any{"mcpServers": map[string]any{"errand": server}}), true
	case "vscode":
		server.Type = "stdio"
		return indent(map[string]any{"servers": map[string]any{"errand": server}}), true
	case "goose":
		lines := []string{
			"extensions:", "  errand:", "    type: stdio", "    name: errand", "    enabled: true", "    timeout: 300",
			"    cmd: " + string(llm.Marshal(program)), "    args:", // a JSON string is one of YAML, too
		}
		for _, arg := range args {
			lines = append(lines, "      - "+string(llm.Marshal(arg)))
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

func indent(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // it is plain data
		panic(err)
	}
	return string(b)
}
