package actions

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// args are the arguments of a call. The dispatcher has validated them against the schema.
// The functions here check what a schema can't express.
type args map[string]any

func (a args) text(key string) string { s, _ := a[key].(string); return s }

func (a args) flag(key string) bool { b, _ := a[key].(bool); return b }

// number returns an integer argument, or other if it is missing.
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

// locator returns the locator of a key.
func (a args) locator(key string) (locator.Locator, error) {
	l, err := locator.Parse(a[key])
	var wrong *locator.Error
	if errors.As(err, &wrong) {
		return l, tool.NewError(tool.ValidationError, "bad_locator", message.New("browser.bad_locator", "key", key, "at", wrong.At, "problem", wrong.Problem)).
			WithHint(message.New("browser.locator_example"))
	}
	return l, err
}

// optional returns the locator of a key, or nil if it is missing.
func (a args) optional(key string) (*locator.Locator, error) {
	if !a.has(key) {
		return nil, nil
	}
	l, err := a.locator(key)
	return &l, err
}

// takesOne is like takes, but requires exactly one of ways.
func takesOne(properties string, ways ...string) json.RawMessage {
	forms := make([]string, len(ways))
	for i, w := range ways {
		forms[i] = `{"required": ["` + w + `"]}`
	}
	return schemaOf(properties, `, "oneOf": [`+strings.Join(forms, ", ")+`]`)
}

// takes returns the schema of arguments from properties in JSON and the names of required
// ones. "LOCATOR" stands for a locator.
func takes(properties string, required ...string) json.RawMessage {
	need, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // the schemas are constants
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

// patience is the property of arguments that changes the waiting time.
const patience = `"timeout_ms": {"type": "integer", "minimum": 0, "maximum": 20000, "description": "how long to wait for the element; default 5000"}`

// patience returns how long the call waits for its element.
func (a args) patience() time.Duration {
	return time.Duration(a.number("timeout_ms", int(document.ActionTimeout.Milliseconds()))) * time.Millisecond
}
