package core

import (
	"encoding/json"
	"reflect"
	"slices"

	"errand/host/tool"
	"errand/policy/redact"
)

// cleaner removes secrets from what is written down or shown. The zero cleaner
// removes none: redaction is switched off.
type cleaner struct{ redact *redact.Redactor }

func (c cleaner) value(v any) any {
	if c.redact == nil {
		return v
	}
	return c.redact.Value(v)
}

func (c cleaner) text(s string) string {
	if c.redact == nil {
		return s
	}
	return c.redact.Text(s)
}

// json is v as JSON without secrets. The values are cleaned and not the text: a
// mark in the middle of an escape would leave no JSON, and half a secret.
func (c cleaner) json(v any) (json.RawMessage, error) {
	whole, err := treeOf(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(c.value(whole))
}

// jsonInOrder is v as JSON without secrets. Where there are none, keys stay in
// their order: the tools' fingerprints are taken over it.
func (c cleaner) jsonInOrder(v any) (json.RawMessage, error) {
	written, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	whole, err := tree(written)
	if err != nil {
		return nil, err
	}
	clean := c.value(whole)
	if reflect.DeepEqual(whole, clean) {
		return written, nil
	}
	return json.Marshal(clean)
}

func (c cleaner) error(e *tool.Error) *tool.Error {
	if e == nil {
		return nil
	}
	out := *e
	out.Message, out.Hint = c.text(e.Message), c.text(e.Hint)
	out.Details = slices.Clone(e.Details)
	for i := range out.Details {
		out.Details[i] = c.text(out.Details[i])
	}
	return &out
}
