package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"errand/planner/message"
)

// explainJSON says where a body is wrong, in the words of its sender: the field and the line.
func explainJSON(body []byte, err error) message.Message {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return message.New("api.wrong_type", "field", fieldName(e.Field), "line", lineOf(body, e.Offset), "value", e.Value, "want", kindName(e))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return message.New("api.bad_syntax", "line", lineOf(body, e.Offset))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return message.New("api.ends_early", "line", lineOf(body, int64(len(body))))
	}
	if _, name, ok := strings.Cut(err.Error(), ` field "`); ok { // an unknown one
		name = `"` + name
		line := lineOf(body, int64(max(bytes.Index(body, []byte(name)), 0)))
		return message.New("api.unknown_field", "field", strings.Trim(name, `"`), "line", line)
	}
	return message.FromError(err)
}

func lineOf(body []byte, offset int64) int {
	return 1 + bytes.Count(body[:min(int(offset), len(body))], []byte("\n"))
}

// fieldName is a field without the names of the Go structs that it is in.
func fieldName(path string) string {
	var names []string
	for name := range strings.SplitSeq(path, ".") {
		if name != "inputBody" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}

// kindName is the kind of JSON value that a field takes.
func kindName(e *json.UnmarshalTypeError) string {
	switch kind := e.Type.Kind().String(); {
	case kind == "string", kind == "bool", kind == "struct":
		return kind
	case kind == "slice":
		return "list"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), strings.HasPrefix(kind, "float"):
		return "number"
	}
	return "other"
}
