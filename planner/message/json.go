package message

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// jsonMessage is a Message in JSON: {"msg": "files.not_a_folder", "params": {"path": "/tmp/x"}}.
// A Message within params is written the same way. Verbatim text is a string, and
// so is the zero Message, an empty one.
type jsonMessage struct {
	Code   string         `json:"msg"`
	Params map[string]any `json:"params,omitempty"`
}

// MarshalJSON writes code and parameters, "msg" first, or a string.
func (m Message) MarshalJSON() ([]byte, error) {
	var v any = jsonMessage(m)
	if text, ok := m.Text(); ok || m.IsZero() {
		v = text
	}
	return EncodeJSON(v) // the encoder around this one decides about HTML escapes
}

// EncodeJSON is [json.Marshal] without HTML escapes, which would change the & in URLs.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads what MarshalJSON writes. A string is verbatim text. It
// refuses objects with other members than "msg" and "params", at every depth.
func (m *Message) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("read a message: %w", err)
	}
	switch v := v.(type) {
	case nil:
		return nil // as other types do
	case string:
		*m = Verbatim(v)
		return nil
	case map[string]any:
		read, err := decodeMessage(v)
		*m = read
		return err
	}
	return fmt.Errorf("read a message: want an object or a string, have %.80s", b)
}

// decodeMessage reads a message from plain JSON values, and does not change them.
func decodeMessage(object map[string]any) (Message, error) {
	code, ok := object["msg"].(string)
	if !ok || code == "" {
		return Message{}, errors.New("read a message: no code")
	}
	paramValues, ok := object["params"].(map[string]any)
	if _, has := object["params"]; has != ok || len(object) > 1 && !has || len(object) > 2 {
		return Message{}, fmt.Errorf("read the message %.80s: want only msg and params", code)
	}
	if len(paramValues) == 0 {
		return Message{Code: code}, nil
	}
	params := make(map[string]any, len(paramValues))
	for name, v := range paramValues {
		p, err := decodeParam(v)
		if err != nil {
			return Message{}, err
		}
		params[name] = p
	}
	m := Message{Code: code, Params: params}
	if text, ok := m.Text(); ok {
		return Verbatim(text), nil
	}
	return m, nil
}

// decodeParam turns a JSON value into a parameter.
func decodeParam(v any) (any, error) {
	switch v := v.(type) {
	case nil, json.Number, float64:
		return toJSONValue(v), nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			p, err := decodeParam(v[i])
			if err != nil {
				return nil, err
			}
			list[i] = p
		}
		return list, nil
	case map[string]any:
		m, err := decodeMessage(v)
		return toJSONValue(m), err
	}
	return v, nil
}
