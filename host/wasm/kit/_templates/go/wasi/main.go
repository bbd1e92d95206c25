// A plugin. Each call starts this program: it reads a JSON object from standard
// input and writes one to standard output. Standard error is the log.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type call struct {
	Tool string `json:"tool"` // the called tool; this plugin has only one
	Args struct {
		Name string `json:"name"`
	} `json:"args"`
	Config struct {
		Greeting string `json:"greeting"`
	} `json:"config"`
}

type answer struct {
	OK      bool     `json:"ok"`
	Payload any      `json:"payload,omitempty"`
	Error   *failure `json:"error,omitempty"`
}

type failure struct {
	Code        string `json:"code"`
	Message     string `json:"message"`
	Hint        string `json:"hint,omitempty"`
	Recoverable bool   `json:"recoverable"` // the user can fix it
}

func main() {
	var c call
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		fmt.Fprintln(os.Stderr, "read the call:", err)
		os.Exit(2)
	}
	if err := json.NewEncoder(os.Stdout).Encode(greet(c)); err != nil {
		os.Exit(2)
	}
}

func greet(c call) answer {
	name := strings.TrimSpace(c.Args.Name)
	if name == "" {
		return answer{Error: &failure{"no_name", "the name is empty", "give a name", true}}
	}
	return answer{OK: true, Payload: map[string]string{"text": c.Config.Greeting + ", " + name + "!"}}
}
