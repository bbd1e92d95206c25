package opa

import (
	"encoding/json"
	"fmt"
	"strings"

	"errand/planner/message"
)

// set is a set of Rego's, in the order in which it is written.
type set []any

// object is an object of Rego's. Its keys can be any value, and it keeps their order.
type object []member

type member struct{ key, value any }

// errValue is the error of a text that can't be read.
var errValue = message.Error("opa.bad_value")

// readValue reads a value as a policy writes it: JSON and, in addition, sets and objects whose keys
// are any value. It returns nil, bool, json.Number, string, []any, set or object.
func readValue(text string) (any, error) {
	r := &valueReader{rest: text}
	v, err := r.value()
	if err == nil && strings.TrimLeft(r.rest, " ") != "" {
		err = errValue
	}
	return v, err
}

type valueReader struct{ rest string }

// skip takes a text that comes next, spaces apart.
func (r *valueReader) skip(text string) bool {
	r.rest = strings.TrimLeft(r.rest, " ")
	rest, ok := strings.CutPrefix(r.rest, text)
	if ok {
		r.rest = rest
	}
	return ok
}

func (r *valueReader) value() (any, error) {
	switch {
	case r.skip("set()"):
		return set{}, nil
	case r.skip("["):
		items, err := r.items("]")
		return items, err
	case r.skip("{"):
		return r.braces()
	case strings.HasPrefix(r.rest, "."): // a number that was written without its zero
		r.rest = "0" + r.rest
	case strings.HasPrefix(r.rest, "-."):
		r.rest = "-0" + r.rest[1:]
	}
	// A number, a text, true, false or null: the rest of the text follows it.
	d := json.NewDecoder(strings.NewReader(r.rest))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, errValue
	}
	r.rest = r.rest[d.InputOffset():]
	return v, nil
}

// items reads values up to the end.
func (r *valueReader) items(end string) ([]any, error) {
	items := []any{}
	if r.skip(end) {
		return items, nil
	}
	for {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		if r.skip(end) {
			return items, nil
		}
		if !r.skip(",") {
			return nil, errValue
		}
	}
}

// braces reads an object or a set.
func (r *valueReader) braces() (any, error) {
	if r.skip("}") {
		return object{}, nil
	}
	first, err := r.value()
	if err != nil {
		return nil, err
	}
	if !r.skip(":") {
		if r.skip("}") {
			return set{first}, nil
		}
		if !r.skip(",") {
			return nil, errValue
		}
		rest, err := r.items("}")
		return append(set{first}, rest...), err
	}
	var o object
	for key := first; ; {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		o = append(o, member{key, v})
		if r.skip("}") {
			return o, nil
		}
		if !r.skip(",") {
			return nil, errValue
		}
		if key, err = r.value(); err != nil {
			return nil, err
		}
		if !r.skip(":") {
			return nil, errValue
		}
	}
}

// writeValue writes a value as Rego writes it.
func writeValue(b *strings.Builder, v any) {
	list := func(items []any) {
		for i, item := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, item)
		}
	}
	switch v := v.(type) {
	case []any:
		b.WriteByte('[')
		list(v)
		b.WriteByte(']')
	case set:
		if len(v) == 0 {
			b.WriteString("set()")
			return
		}
		b.WriteByte('{')
		list(v)
		b.WriteByte('}')
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, m.key)
			b.WriteString(": ")
			writeValue(b, m.value)
		}
		b.WriteByte('}')
	case string:
		fmt.Fprintf(b, "%q", v)
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, v)
	}
}
