package secrets

import (
	"bytes"
	"encoding/json"
	"slices"

	"errand/host/tool"
	"errand/policy/redact"
)

// Cleaner removes secrets from what is written down or shown. The zero Cleaner
// removes none: redaction is switched off.
type Cleaner struct {
	redact *redact.Redactor
	watch  func(any) // may be nil
	key    Key
}

// Equal reports whether both remove the same secrets: a vault that gets another secret
// makes another Cleaner.
func (c Cleaner) Equal(other Cleaner) bool { return c.redact == other.redact }

// Value is v without secrets: v is plain JSON values.
func (c Cleaner) Value(v any) any {
	if c.redact == nil {
		return v
	}
	if c.watch != nil {
		c.watch(v)
	}
	return c.redact.Value(v)
}

// Text is s without secrets.
func (c Cleaner) Text(s string) string {
	if c.redact == nil {
		return s
	}
	if c.watch != nil {
		c.watch(s)
	}
	return c.redact.Text(s)
}

// JSON is v as JSON without secrets. It cleans the values and not the text: a mark
// in the middle of an escape would leave invalid JSON, and half a secret.
func (c Cleaner) JSON(v any) (json.RawMessage, error) {
	whole, err := TreeOf(v)
	if err != nil {
		return nil, err
	}
	clean := c.Value(whole)
	c.sealPlanID(whole, clean)
	return json.Marshal(clean)
}

// JSONInOrder is v as JSON without secrets. Where v has none, keys stay in their
// order: the tools' fingerprints are taken over it.
func (c Cleaner) JSONInOrder(v any) (json.RawMessage, error) {
	written, err := json.Marshal(v)
	if err != nil || c.redact == nil {
		return written, err
	}
	whole, err := Tree(written)
	if err != nil {
		return nil, err
	}
	clean := c.Value(whole)
	if isSame(whole, clean) {
		return written, nil
	}
	c.sealPlanID(whole, clean)
	return json.Marshal(clean)
}

// isSame reports whether two trees of [Tree] are equal, without reflection: settings are large,
// and each run writes one.
func isSame(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, ok := b[key]; !ok || !isSame(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, isSame)
	}
	return a == b // texts, numbers as texts, booleans and null
}

// Error is e without secrets.
func (c Cleaner) Error(e *tool.Error) *tool.Error {
	if e == nil {
		return nil
	}
	out := *e
	out.Code = c.Text(e.Code)
	out.Message, out.Hint = e.Message.MapText(c.Text), e.Hint.MapText(c.Text)
	out.Details = slices.Clone(e.Details)
	for i := range out.Details {
		out.Details[i] = c.Text(out.Details[i])
	}
	return &out
}

// Tree decodes a JSON document into plain values, with numbers as json.Number;
// "null" and an empty document are nil.
func Tree(doc json.RawMessage) (any, error) {
	if len(doc) == 0 {
		return nil, nil
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// TreeOf is a value as the tree of its JSON.
func TreeOf(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Tree(b)
}

// IsMarked reports whether redaction took something out of a value.
func IsMarked(v any) bool {
	switch v := v.(type) {
	case string:
		return redact.HasMark(v)
	case map[string]any:
		for key, e := range v {
			if redact.HasMark(key) || IsMarked(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, IsMarked)
	}
	return false
}
