// A plugin: each call runs this program anew. One JSON object comes on standard
// input, one goes to standard output; standard error is the log.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type call struct {
	Tool string `json:"tool"` // which of the plugin's tools; this one has one
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
	Recoverable bool   `json:"recoverable"` // a person can do something about it
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
		return answer{Error: &failure{"no_name", "there is nobody to greet", "give a name", true}}
	}
	return answer{OK: true, Payload: map[string]string{"text": c.Config.Greeting + ", " + name + "!"}}
}
