package browser

import (
	"encoding/json"
	"errors"
	"strings"

	"errand/host/browser/locator"
	"errand/host/tool"
)

// args is what a call brings. Its schema was checked by then; what a schema
// can't say is checked here.
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

// one says which of the keys is there; exactly one has to be.
func (a args) one(keys ...string) (string, error) {
	var has []string
	for _, k := range keys {
		if a.has(k) {
			has = append(has, k)
		}
	}
	if len(has) != 1 {
		return "", tool.Errorf(tool.ValidationError, "invalid_args", "it takes exactly one of %s, and has %d of them", strings.Join(keys, ", "), len(has))
	}
	return has[0], nil
}

// takes is the schema of arguments: properties as JSON, and the names of those
// that there must be. "LOCATOR" stands for a locator.
func takes(properties string, required ...string) json.RawMessage {
	defs := ""
	if strings.Contains(properties, "LOCATOR") {
		properties = strings.ReplaceAll(properties, "LOCATOR", `{"$ref": "#/$defs/locator"}`)
		defs = `, "$defs": {"locator": ` + locator.Definition + `}`
	}
	need, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // they are constants
	}
	return json.RawMessage(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {` +
		properties + `}, "required": ` + string(need) + `, "additionalProperties": false` + defs + `}`)
}
