package tool

import (
	"encoding/json"
	"math"
	"strings"

	"errand/planner/message"
)

// CopyArgs copies arguments into plain JSON values: nil, bool, float64, string,
// []any, map[string]any. The copy shares no memory with args.
func CopyArgs(args map[string]any) (map[string]any, error) {
	v, err := ToJSONValue(args)
	if err != nil {
		return nil, err
	}
	if m, ok := v.(map[string]any); ok && m != nil {
		return m, nil
	}
	return map[string]any{}, nil
}

// ToJSONValue copies v into plain JSON values. It replaces invalid UTF-8 in strings as
// JSON would, so that the same value is hashed, recorded and passed to the tool.
func ToJSONValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		return strings.ToValidUTF8(v, "\uFFFD"), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, message.Error("run.bad_number", "number", v)
		}
		return v, nil
	case map[string]any:
		if v == nil {
			return map[string]any{}, nil
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			p, err := ToJSONValue(e)
			if err != nil {
				return nil, message.Error("run.bad_member", "name", k, "cause", err)
			}
			out[strings.ToValidUTF8(k, "\uFFFD")] = p
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			p, err := ToJSONValue(e)
			if err != nil {
				return nil, message.Error("run.bad_element", "index", i, "cause", err)
			}
			out[i] = p
		}
		return out, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out any
	err = json.Unmarshal(b, &out)
	return out, err
}
