// A plugin: each exported function is a tool. Its arguments are the input, its
// payload is the output, both JSON. Other functions of the host are in host.go.
package main

import (
	"encoding/json"
	"strings"
)

//go:wasmexport greet
func greet() int32 {
	var args struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(input(), &args); err != nil {
		return fail("the arguments are not JSON: " + err.Error())
	}
	name := strings.TrimSpace(args.Name)
	if name == "" {
		return fail("the name is empty")
	}
	out, err := json.Marshal(map[string]string{"text": config("greeting") + ", " + name + "!"})
	if err != nil {
		return fail(err.Error())
	}
	return output(out)
}

func main() {} // never called: the plugin is a library
