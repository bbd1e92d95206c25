package plan

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

// Canonical returns the JSON of v with sorted keys, no insignificant space and no HTML
// escapes. Equal values have equal bytes. Digests are computed from it.
func Canonical(v any) ([]byte, error) {
	b, err := message.EncodeJSON(v)
	if err != nil {
		return nil, err
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	return message.EncodeJSON(tree) // encoding/json sorts map keys
}

// cloneArgs copies args into plain JSON values, so that a plan shares nothing with its
// creator and equal plans have equal types. It rejects values that JSON would change: the
// tool would receive something other than what was approved.
func cloneArgs(args map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(args))
	for k, v := range args {
		if !utf8.ValidString(k) {
			return nil, message.Error("plan_file.key_not_utf8", "key", k)
		}
		c, err := cloneValue(v)
		if err != nil {
			return nil, message.Error("plan_file.bad_value", "key", k, "cause", err)
		}
		out[k] = c
	}
	return out, nil
}

func cloneValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return nil, message.Error("plan_file.text_not_utf8", "text", v)
		}
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, message.Error("plan_file.not_json_number", "number", v)
		}
		return v, nil
	case json.Number:
		return exactFloat(v)
	case map[string]any:
		return cloneArgs(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			c, err := cloneValue(v[i])
			if err != nil {
				return nil, err
			}
			out[i] = c
		}
		return out, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	return cloneValue(out)
}

// exactFloat returns a number as a float64. It rejects an integer that float64 can't represent
// with the same digits; such an id must be a string.
func exactFloat(n json.Number) (any, error) {
	f, err := n.Float64()
	if err != nil {
		return nil, message.Error("json.bad_number", "number", n.String())
	}
	if whole := !strings.ContainsAny(n.String(), ".eE"); whole && strconv.FormatFloat(f, 'f', -1, 64) != n.String() {
		return nil, message.Error("plan_file.inexact_number", "number", n.String())
	}
	return f, nil
}
