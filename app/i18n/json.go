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
	// Payload returns the keys of a tool's payload that hold messages of Errand. All
	// of a payload is data if it is nil.
	Payload func(tool string) []string
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
	"args_used", "body",
	"args", "args_schema", "config", "default", "id", "new_value", "now", "old_value", "payload", "recorded", "value",
}

// JSON puts texts into a JSON document in which messages are codes and
// parameters. A member "reason" that is a message becomes three members: the text
// as "reason", the code as "reason_code" and the parameters as "reason_params";
// the parameters of "message" are "params". A message in a list becomes its text.
// Everything else is kept byte for byte, also what only looks like a message: see
// foreign. Only the members of a step's payload that [Faces.Payload] names get their
// texts, in the goal's language.
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
			return r.copyTo(len(doc)), nil
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

// copyTo copies the document up to an offset, and returns the output so far.
func (r *rewriter) copyTo(to int) []byte {
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
	if !r.startsMessage() {
		return m, false, r.object()
	}
	start := r.nextObject()
	raw, err := r.in.ReadValue()
	if err != nil {
		return m, false, err
	}
	if m.UnmarshalJSON(raw) != nil {
		return m, false, nil // other members: not a message
	}
	r.copyTo(start)
	r.done = int(r.in.InputOffset())
	return m, true, nil
}

// nextObject returns where the next value, an object, begins.
func (r *rewriter) nextObject() int {
	read := int(r.in.InputOffset())
	return read + bytes.IndexByte(r.doc[read:], '{')
}

// startsMessage reports whether the next value is an object that begins as a message
// does.
func (r *rewriter) startsMessage() bool {
	if r.in.PeekKind() != '{' {
		return false
	}
	const space = " \t\r\n"
	rest := bytes.TrimLeft(r.doc[r.nextObject()+1:], space)
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
	var tool string // of a step
	for r.in.PeekKind() != '}' {
		token, err := r.in.ReadToken()
		if err != nil {
			return err
		}
		switch name := token.String(); {
		case name == "tool_name" && r.in.PeekKind() == '"':
			if token, err = r.in.ReadToken(); err == nil {
				tool = token.String()
			}
		case name == "payload" && tool != "":
			err = r.payload(tool)
		case slices.Contains(foreign, name):
			err = r.in.SkipValue()
		default:
			err = r.member(name, r.faces.text)
		}
		if err != nil {
			return err
		}
	}
	_, err := r.in.ReadToken()
	return err
}

// payload reads the result of a tool. Only the members that hold messages of Errand
// get texts.
func (r *rewriter) payload(tool string) error {
	if r.in.PeekKind() != '{' || r.faces.Payload == nil {
		return r.in.SkipValue()
	}
	keys := r.faces.Payload(tool)
	if len(keys) == 0 {
		return r.in.SkipValue()
	}
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	for r.in.PeekKind() != '}' {
		token, err := r.in.ReadToken()
		if err != nil {
			return err
		}
		if name := token.String(); slices.Contains(keys, name) && r.startsMessage() {
			err = r.member(name, r.faces.Goal.Text)
		} else {
			err = r.in.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.in.ReadToken()
	return err
}

// member reads the value of a member. If it is a message, its text, code and
// parameters are written.
func (r *rewriter) member(name string, text func(message.Message) string) error {
	m, ok, err := r.message()
	if err != nil || !ok {
		return err
	}
	r.string(text(m))
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
