package author

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"errand/app/plugins"
	"errand/planner/message"

	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/host/tool/schema"
)

// readArgs reads the arguments of a call that were typed. None is an empty
// object.
func readArgs(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	bad := func(m message.Message) error {
		return tool.NewError(tool.ValidationError, "bad_args", "the arguments are "+format, args...).
			WithHint(message.New("author.give_json_object_such"))
	}
	var v any
	var broken *json.SyntaxError
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, bad(message.New("author.not_json_bracket_brace"))
	case errors.As(err, &broken):
		return nil, bad(message.New("author.not_json_at_byte", "cause", broken, "offset", broken.Offset))
	case err != nil:
		return nil, bad(message.New("author.not_json", "cause", err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, bad(message.New("author.more_than_one_json"))
	}
	if err := jsonstrict.CheckText(text); err != nil {
		return nil, bad(message.New("author.not_to_be_taken", "cause", err))
	}
	if at, twice := jsonstrict.FindDuplicate(text); twice {
		return nil, bad(message.New("author.ambiguous_stands_there_twice", "at", at))
	}
	args, ok := v.(map[string]any)
	if !ok {
		return nil, bad(message.New("author.not_json_object_but", "value", kindOf(v)))
	}
	if _, err := jsonstrict.RequireExactNumbers(args); err != nil { // in place
		return nil, bad(message.New("author.not_to_be_taken", "cause", err))
	}
	return args, nil
}

func kindOf(v any) string {
	switch v.(type) {
	case []any:
		return "a list"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

// checkArgs holds arguments against a tool's schema, as a run does. Of a tool in
// its author's folder `errand tools` knows nothing.
func checkArgs(p plugins.Place, spec tool.Spec, args map[string]any) *tool.Error {
	c := schema.Checker{}
	if p.Own {
		c.Shown = message.New("schema.see_manifest")
	}
	return c.Check(spec, args)
}
