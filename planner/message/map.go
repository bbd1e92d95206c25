package message

import (
	"maps"
	"slices"
)

// MapText returns a message with every text in its parameters replaced by f of it,
// such as one without secrets. Codes and numbers stay. It calls f in the order of
// the parameters' names.
func (m Message) MapText(f func(string) string) Message {
	if len(m.Params) == 0 {
		return m
	}
	params := make(map[string]any, len(m.Params))
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		params[name] = mapText(m.Params[name], f)
	}
	return Message{Code: m.Code, Params: params}
}

func mapText(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case Message:
		return v.MapText(f)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mapText(v[i], f)
		}
		return out
	}
	return v
}
