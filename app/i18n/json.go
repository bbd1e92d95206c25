package i18n

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"errand/planner/message"
)

// Faces says the messages of a document: those of the areas that speak of the
// user's goal in one language, errors and reasons in another.
type Faces struct {
	Goal  *Language // plan texts, questions, answers, summaries of calls
	Other *Language
}

// goalAreas are the areas that [Faces.Goal] says.
var goalAreas = []string{"plan.", "question.", "answer.", "tool."}

func (f Faces) text(m message.Message) string {
	for _, area := range goalAreas {
		if strings.HasPrefix(m.Code, area) {
			return f.Goal.Text(m)
		}
	}
	return f.Other.Text(m)
}

// messagePrefix is how the JSON of every Message begins.
const messagePrefix = `{"msg":`

// JSON puts texts into a JSON document in which messages are codes and
// parameters. A member "reason" that is a message becomes three members: the text
// as "reason", the code as "reason_code" and the parameters as "reason_params";
// the parameters of "message" are "params". A message in a list becomes its text.
// Everything else is kept as it is, in the same order.
func (f Faces) JSON(doc []byte) ([]byte, error) {
	if !bytes.Contains(doc, []byte(messagePrefix)) {
		return doc, nil
	}
	in := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var out bytes.Buffer
	enc := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if err := f.value(in, enc); err != nil {
			if errors.Is(err, io.EOF) {
				return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
			}
			return nil, fmt.Errorf("put texts into JSON: %w", err)
		}
	}
}

// value copies one value.
func (f Faces) value(in *jsontext.Decoder, out *jsontext.Encoder) error {
	switch in.PeekKind() {
	case '{':
		raw, err := in.ReadValue()
		if err != nil {
			return err
		}
		return f.object(raw, out)
	case '[':
		if err := copyToken(in, out); err != nil {
			return err
		}
		for in.PeekKind() != ']' {
			if err := f.value(in, out); err != nil {
				return err
			}
		}
		return copyToken(in, out)
	}
	raw, err := in.ReadValue()
	if err != nil {
		return err
	}
	return out.WriteValue(raw)
}

// object copies an object, or writes the text of a message.
func (f Faces) object(raw jsontext.Value, out *jsontext.Encoder) error {
	if !bytes.Contains(raw, []byte(messagePrefix)) {
		return out.WriteValue(raw)
	}
	if m, ok := asMessage(raw); ok {
		return out.WriteToken(jsontext.String(f.text(m)))
	}
	in := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := copyToken(in, out); err != nil {
		return err
	}
	for in.PeekKind() != '}' {
		if err := f.member(in, out); err != nil {
			return err
		}
	}
	return copyToken(in, out)
}

// member copies one member of an object.
func (f Faces) member(in *jsontext.Decoder, out *jsontext.Encoder) error {
	name, err := in.ReadToken()
	if err != nil {
		return err
	}
	key := name.String()
	if err := out.WriteToken(jsontext.String(key)); err != nil {
		return err
	}
	if in.PeekKind() != '{' {
		return f.value(in, out)
	}
	raw, err := in.ReadValue()
	if err != nil {
		return err
	}
	m, ok := asMessage(raw)
	if !ok {
		return f.object(raw, out)
	}
	if err := out.WriteToken(jsontext.String(f.text(m))); err != nil {
		return err
	}
	codeKey, paramsKey := key+"_code", key+"_params"
	if key == "message" {
		paramsKey = "params"
	}
	if err := out.WriteToken(jsontext.String(codeKey)); err != nil {
		return err
	}
	if err := out.WriteToken(jsontext.String(m.Code)); err != nil || len(m.Params) == 0 {
		return err
	}
	if err := out.WriteToken(jsontext.String(paramsKey)); err != nil {
		return err
	}
	params, err := json.Marshal(m.Params, json.Deterministic(true))
	if err != nil {
		return err
	}
	return f.params(params, out)
}

// params writes parameters: those that are messages as objects of code, params
// and text.
func (f Faces) params(params jsontext.Value, out *jsontext.Encoder) error {
	return out.WriteValue(bytes.ReplaceAll(params, []byte(messagePrefix), []byte(`{"code":`)))
}

// asMessage reads a message, if the value is one.
func asMessage(raw jsontext.Value) (message.Message, bool) {
	if !bytes.HasPrefix(raw, []byte(messagePrefix)) {
		return message.Message{}, false
	}
	var m message.Message
	return m, m.UnmarshalJSON(raw) == nil
}

func copyToken(in *jsontext.Decoder, out *jsontext.Encoder) error {
	t, err := in.ReadToken()
	if err != nil {
		return err
	}
	return out.WriteToken(t)
}
