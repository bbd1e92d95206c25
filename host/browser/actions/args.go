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
	if wrong, ok := errors.AsType[*locator.Error](err); ok {
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

// schema describes the arguments of an action. It is made into a JSON Schema when the
// action's spec is first needed.
type schema struct {
	properties   string   // in JSON; "LOCATOR" stands for a locator
	required     []string // names of required properties
	alternatives []string // exactly one of these is required, too; nil: no condition
}

// takes returns the schema of arguments from properties in JSON and the names of required
// ones. "LOCATOR" stands for a locator.
func takes(properties string, required ...string) schema {
	return schema{properties: properties, required: required}
}

// takesOne is like takes, but requires exactly one of ways.
func takesOne(properties string, ways ...string) schema {
	return schema{properties: properties, alternatives: ways}
}

func (s schema) json() json.RawMessage {
	const (
		head = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {`
		ref  = `{"$ref": "#/$defs/locator"}`
		defs = `, "$defs": {"locator": ` + locator.Definition + `}`
	)
	b := make([]byte, 0, len(head)+len(s.properties)+len(defs)+256)
	b = append(b, head...)
	before, after, locates := strings.Cut(s.properties, "LOCATOR")
	for b = append(b, before...); locates; b = append(b, before...) {
		b = append(b, ref...)
		before, after, locates = strings.Cut(after, "LOCATOR")
	}
	b = append(b, '}')
	if s.alternatives == nil || s.required != nil {
		b = append(b, `, "required": [`...)
		for i, name := range s.required {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `"`+name+`"`...)
		}
		b = append(b, ']')
	}
	if s.alternatives != nil {
		b = append(b, `, "oneOf": [{"required": ["`+strings.Join(s.alternatives, `"]}, {"required": ["`)+`"]}]`...)
	}
	b = append(b, `, "additionalProperties": false`...)
	if strings.Contains(s.properties, "LOCATOR") {
		b = append(b, defs...)
	}
	return append(b, '}')
}

// timeoutSchema is the property of arguments that changes the waiting time.
const timeoutSchema = `"timeout_ms": {"type": "integer", "minimum": 0, "maximum": 20000, "description": "how long to wait for the element; default 5000"}`

// timeout returns how long the call waits for its element.
func (a args) timeout() time.Duration {
	return time.Duration(a.number("timeout_ms", int(document.ActionTimeout.Milliseconds()))) * time.Millisecond
}
