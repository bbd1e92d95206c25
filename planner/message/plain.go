package message

// PlainValue returns a message as the plain JSON values that MarshalJSON writes, for
// data such as that of events: map[string]any{"msg": …, "params": …}, or a string.
func (m Message) PlainValue() any {
	if text, ok := m.Text(); ok || m.IsZero() {
		return text
	}
	out := map[string]any{"msg": m.Code}
	if len(m.Params) > 0 {
		params := make(map[string]any, len(m.Params))
		for name, v := range m.Params {
			params[name] = plainJSON(v)
		}
		out["params"] = params
	}
	return out
}

func plainJSON(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case Message:
		return v.PlainValue()
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainJSON(v[i])
		}
		return out
	}
	return v
}

// FromPlain returns the message that plain JSON values describe. A string is
// verbatim text. Other values, and nil, are the zero Message.
func FromPlain(v any) Message {
	switch v := v.(type) {
	case Message:
		return v
	case string:
		return Verbatim(v)
	case map[string]any:
		m, _ := decodeMessage(v)
		return m
	}
	return Message{}
}
