package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"errand/planner/message"
	"errand/policy/redact/find"
)

// Value returns a copy of v without secrets. It walks decoded JSON. A string under a name
// such as "password" or "token" is always redacted. A [message.Message] keeps its type and
// code, and so does the message of an error; its parameters are redacted like the values
// of an object. Other Go values become the JSON values that they marshal to, or redacted
// text if they can't be marshalled.
func (r *Redactor) Value(v any) any { return r.walk("", v) }

// Named is [Redactor.Value] for a value with a name.
func (r *Redactor) Named(name string, v any) any { return r.walk(name, v) }

func (r *Redactor) walk(name string, v any) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return r.redactNamed(name, v)
	case Secret:
		return v.String()
	case json.Number:
		return r.redactNumber(name, v, v.String())
	case float64:
		return r.redactNumber(name, v, strconv.FormatFloat(v, 'f', -1, 64))
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32:
		return r.redactNumber(name, v, fmt.Sprint(v))
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[r.text(k, true)] = r.walk(k, v[k])
		}
		return out
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = r.walk(name, e)
		}
		return out
	case []byte:
		return []byte(r.redactNamed(name, string(v)))
	case json.RawMessage:
		return r.redactRaw(name, v)
	case message.Message:
		return r.message(v)
	case error:
		m := message.FromError(v)
		if text, ok := m.Text(); ok || m.IsZero() {
			return r.redactNamed(name, text)
		}
		return r.message(m)
	}
	return r.redactOther(name, v)
}

// message redacts the parameters of a message like the values of an object.
func (r *Redactor) message(m message.Message) message.Message {
	if len(m.Params) == 0 {
		return m
	}
	params := make(map[string]any, len(m.Params))
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		params[name] = r.walk(name, m.Params[name])
	}
	return message.Message{Code: m.Code, Params: params}
}

// redactOther marshals the value to JSON first.
func (r *Redactor) redactOther(name string, v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return r.redactNamed(name, fmt.Sprintf("%+v", v))
	}
	plain, err := decode(b)
	if err != nil {
		return r.redactNamed(name, string(b))
	}
	return r.walk(name, plain)
}

func (r *Redactor) redactRaw(name string, v json.RawMessage) any {
	plain, err := decode(v)
	if err != nil {
		return json.RawMessage(nil) // a record can't contain invalid JSON
	}
	b, err := json.Marshal(r.walk(name, plain))
	if err != nil {
		return json.RawMessage(nil)
	}
	return json.RawMessage(b)
}

// decode keeps the spelling of numbers.
func decode(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// redactNamed redacts a string that has a name.
func (r *Redactor) redactNamed(name, v string) string {
	text := r.Text(v)
	if name == "" || text != v || r != nil && r.exact {
		return text
	}
	return r.replace(v, merge(find.InNamedValue(name, v)))
}

// redactNumber redacts a number that equals a secret or has the name of a secret.
func (r *Redactor) redactNumber(name string, v any, text string) any {
	if r != nil && r.ownSecrets != nil {
		if i := slices.Index(r.ownSecrets.Literals, text); i >= 0 {
			return r.mark("own", r.secret[i])
		}
	}
	if r != nil && r.exact {
		return v
	}
	if kind := find.NumberKind(name, text); kind != "" {
		return r.mark(kind, text)
	}
	const shortest = 13 // digits of a card's number
	if len(text) >= shortest {
		if clean := r.Text(text); clean != text {
			return clean
		}
	}
	return v
}
