package actions

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// args are the arguments of a call. The dispatcher has checked them against the
// schema; what a schema can't express is checked here.
type args map[string]any

func (a args) text(key string) string { s, _ := a[key].(string); return s }

func (a args) flag(key string) bool { b, _ := a[key].(bool); return b }

// number is a whole number; other where there is none.
func (a args) number(key string, other int) int {
	switch n := a[key].(type) {
	case float64:
		return int(n)
	case int:
		return n
	}
	return other
}

func (a args) has(key string) bool { _, ok := a[key]; return ok }

// locator reads the locator of a key.
func (a args) locator(key string) (locator.Locator, error) {
	l, err := locator.Parse(a[key])
	var wrong *locator.Error
	if errors.As(err, &wrong) {
		return l, tool.Errorf(tool.ValidationError, "bad_locator", "%s%s: %s", key, wrong.At, wrong.Problem).
			WithHint(`a locator is an object such as {"role": "button", "name": "Save"}, {"label": "Email"} or {"ref": "s1e4"}`)
	}
	return l, err
}

// optional is the locator of a key that may be absent.
func (a args) optional(key string) (*locator.Locator, error) {
	if !a.has(key) {
		return nil, nil
	}
	l, err := a.locator(key)
	return &l, err
}

// takesOne is takes for arguments of which there must be exactly one of ways.
func takesOne(properties string, ways ...string) json.RawMessage {
	forms := make([]string, len(ways))
	for i, w := range ways {
		forms[i] = `{"required": ["` + w + `"]}`
	}
	return schemaOf(properties, `, "oneOf": [`+strings.Join(forms, ", ")+`]`)
}

// takes is the schema of arguments: properties as JSON, and the names of those
// that there must be. "LOCATOR" stands for a locator.
func takes(properties string, required ...string) json.RawMessage {
	need, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // they are constants
	}
	return schemaOf(properties, `, "required": `+string(need))
}

func schemaOf(properties, more string) json.RawMessage {
	defs := ""
	if strings.Contains(properties, "LOCATOR") {
		properties = strings.ReplaceAll(properties, "LOCATOR", `{"$ref": "#/$defs/locator"}`)
		defs = `, "$defs": {"locator": ` + locator.Definition + `}`
	}
	return json.RawMessage(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {` +
		properties + `}` + more + `, "additionalProperties": false` + defs + `}`)
}

// patience is the property of arguments that says otherwise.
const patience = `"timeout_ms": {"type": "integer", "minimum": 0, "maximum": 20000, "description": "how long to wait for the element; default 5000"}`

// patience is how long the call waits for its element.
func (a args) patience() time.Duration {
	return time.Duration(a.number("timeout_ms", int(document.ActionTimeout.Milliseconds()))) * time.Millisecond
}
