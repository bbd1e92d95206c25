package message

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// encoded is a Message in JSON: {"msg": "files.not_a_folder", "params": {"path": "/tmp/x"}}.
// A Message within params is written the same way. Verbatim text is a string, and
// so is the zero Message, an empty one.
type encoded struct {
	Code   string         `json:"msg"`
	Params map[string]any `json:"params,omitempty"`
}

// MarshalJSON writes code and parameters, "msg" first, or a string.
func (m Message) MarshalJSON() ([]byte, error) {
	var v any = encoded(m)
	if text, ok := m.Text(); ok || m.IsZero() {
		v = text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the encoder around this one decides about that
	err := e.Encode(v)
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes. A string is verbatim text.
func (m *Message) UnmarshalJSON(b []byte) error {
	*m = Message{}
	if len(b) > 0 && b[0] != '{' {
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return fmt.Errorf("read a message: %w", err)
		}
		*m = Verbatim(text)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	d.DisallowUnknownFields()
	var e encoded
	if err := d.Decode(&e); err != nil {
		return fmt.Errorf("read a message: %w", err)
	}
	if e.Code == "" {
		return fmt.Errorf("read a message: no code in %.80s", b)
	}
	for name, v := range e.Params {
		e.Params[name] = decoded(v)
	}
	*m = Message(e)
	return nil
}

// decoded turns a JSON value into a parameter. It does not change v.
func decoded(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return number(f)
	case float64:
		return number(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = decoded(v[i])
		}
		return list
	case map[string]any:
		code, _ := v["msg"].(string)
		m := Message{Code: code}
		if params, ok := v["params"].(map[string]any); ok {
			m.Params = make(map[string]any, len(params))
			for name, p := range params {
				m.Params[name] = decoded(p)
			}
		}
		return m
	}
	return v
}
