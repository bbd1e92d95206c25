package i18n

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

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

// foreign are the members with values from outside the program: arguments and
// results of tools (of a replay: as recorded and now), settings, ids that the user
// gave. An object in them that looks like a message is data,
// not something that Errand says. TestForeignMembers checks that the list has
// every member of such a type.
var foreign = []string{
	"args", "args_schema", "config", "default", "id", "now", "payload", "recorded", "value",
}

// JSON puts texts into a JSON document in which messages are codes and
// parameters. A member "reason" that is a message becomes three members: the text
// as "reason", the code as "reason_code" and the parameters as "reason_params";
// the parameters of "message" are "params". A message in a list becomes its text.
// Everything else is kept byte for byte, also what only looks like a message: see
// foreign.
func (f Faces) JSON(doc []byte) ([]byte, error) {
	if !bytes.Contains(doc, []byte(`"msg"`)) {
		return doc, nil
	}
	r := rewriter{
		faces: f, doc: doc, out: make([]byte, 0, len(doc)+len(doc)/2),
		in: jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
	for {
		if err := r.value(); errors.Is(err, io.EOF) {
			return r.copied(len(doc)), nil
		} else if err != nil {
			return nil, fmt.Errorf("put texts into JSON: %w", err)
		}
	}
}

// rewriter copies a document and puts texts in the place of messages.
type rewriter struct {
	faces Faces
	doc   []byte
	in    *jsontext.Decoder
	out   []byte
	done  int // bytes of doc that are in out, or replaced
}

// copied copies the document up to an offset, and returns the output so far.
func (r *rewriter) copied(to int) []byte {
	r.out = append(r.out, r.doc[r.done:to]...)
	r.done = to
	return r.out
}

// value reads a value. If it is a message, its text is written instead.
func (r *rewriter) value() error {
	m, ok, err := r.message()
	if ok {
		r.string(r.faces.text(m))
	}
	return err
}

// message reads a value. If it is a message, nothing is written for it.
func (r *rewriter) message() (m message.Message, ok bool, err error) {
	switch r.in.PeekKind() {
	case '[':
		return m, false, r.list()
	case '{':
	default:
		return m, false, r.in.SkipValue()
	}
	start := int(r.in.InputOffset())
	start += bytes.IndexByte(r.doc[start:], '{')
	if !startsMessage(r.doc[start:]) {
		return m, false, r.object()
	}
	raw, err := r.in.ReadValue()
	if err != nil {
		return m, false, err
	}
	if m.UnmarshalJSON(raw) != nil {
		return m, false, nil // it has other members, so it is no message
	}
	r.copied(start)
	r.done = int(r.in.InputOffset())
	return m, true, nil
}

// startsMessage reports whether an object begins as a message does.
func startsMessage(object []byte) bool {
	const space = " \t\r\n"
	rest := bytes.TrimLeft(object[1:], space)
	rest, ok := bytes.CutPrefix(rest, []byte(`"msg"`))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, space), []byte(":"))
}

func (r *rewriter) list() error {
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	for r.in.PeekKind() != ']' {
		if err := r.value(); err != nil {
			return err
		}
	}
	_, err := r.in.ReadToken()
	return err
}

func (r *rewriter) object() error {
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	for r.in.PeekKind() != '}' {
		if err := r.member(); err != nil {
			return err
		}
	}
	_, err := r.in.ReadToken()
	return err
}

func (r *rewriter) member() error {
	token, err := r.in.ReadToken()
	if err != nil {
		return err
	}
	name := token.String()
	if slices.Contains(foreign, name) {
		return r.in.SkipValue()
	}
	m, ok, err := r.message()
	if err != nil || !ok {
		return err
	}
	r.string(r.faces.text(m))
	r.out = append(r.out, ',')
	r.string(name + "_code")
	r.out = append(r.out, ':')
	r.string(m.Code)
	if len(m.Params) == 0 {
		return nil
	}
	params := name + "_params"
	if name == "message" {
		params = "params"
	}
	r.out = append(r.out, ',')
	r.string(params)
	r.out = append(r.out, ':')
	r.params(m.Params)
	return nil
}

func (r *rewriter) string(text string) {
	r.out, _ = jsontext.AppendQuote(r.out, strings.ToValidUTF8(text, "\uFFFD")) // it fails only for other texts
}

// params writes parameters as an object.
func (r *rewriter) params(params map[string]any) {
	r.out = append(r.out, '{')
	for i, name := range slices.Sorted(maps.Keys(params)) {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.string(name)
		r.out = append(r.out, ':')
		r.param(params[name])
	}
	r.out = append(r.out, '}')
}

// param writes a parameter: a message as an object of its code and params.
func (r *rewriter) param(value any) {
	switch v := value.(type) {
	case string:
		r.string(v)
	case message.Message:
		r.out = append(r.out, `{"code":`...)
		r.string(v.Code)
		if len(v.Params) > 0 {
			r.out = append(r.out, `,"params":`...)
			r.params(v.Params)
		}
		r.out = append(r.out, '}')
	case []any:
		r.out = append(r.out, '[')
		for i, element := range v {
			if i > 0 {
				r.out = append(r.out, ',')
			}
			r.param(element)
		}
		r.out = append(r.out, ']')
	default:
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("null") // it came from JSON
		}
		r.out = append(r.out, b...)
	}
}
