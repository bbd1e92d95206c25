package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/planner/message"
)

// ReadArguments reads the arguments of a call that were typed: a JSON object without
// duplicate keys. An empty text is an empty object. Errors are *tool.Error.
func ReadArguments(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	bad := func(m message.Message) error {
		return tool.NewError(tool.ValidationError, "bad_args", m).
			WithHint(message.New("author.args_hint"))
	}
	var v any
	var broken *json.SyntaxError
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, bad(message.New("author.args_unclosed"))
	case errors.As(err, &broken):
		return nil, bad(message.New("author.args_bad_json", "cause", broken, "offset", broken.Offset))
	case err != nil:
		return nil, bad(message.New("author.args_not_json", "cause", err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, bad(message.New("author.args_several_values"))
	}
	if err := jsonstrict.CheckText(text); err != nil {
		return nil, bad(message.New("author.args_rejected", "cause", err))
	}
	if at, twice := jsonstrict.FindDuplicate(text); twice {
		return nil, bad(message.New("author.args_key_twice", "place", at))
	}
	args, ok := v.(map[string]any)
	if !ok {
		return nil, bad(message.New("author.args_not_object", "type", kindOf(v)))
	}
	if _, err := jsonstrict.RequireExactNumbers(args); err != nil { // in place
		return nil, bad(message.New("author.args_rejected", "cause", err))
	}
	return args, nil
}

// kindOf returns what the text author.not_an_object knows of a value.
func kindOf(v any) string {
	switch v.(type) {
	case []any:
		return "list"
	case string:
		return "text"
	case json.Number:
		return "number"
	case bool:
		return "bool"
	}
	return "null"
}
