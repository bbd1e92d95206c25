// Package message names what the program says to people: a code with parameters.
// The texts are in app/i18n, by language. Only faces (command line, window, API)
// turn a Message into text; everything below makes, keeps and compares codes.
package message

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Message is something to say. The zero Message says nothing.
//
// A Message is not changed once it is made, so copies may share Params.
type Message struct {
	// Code names the text: an area and a name, such as "files.not_a_folder".
	Code string
	// Params are the values in the text, by name: string, bool, int64, float64,
	// Message, or []any of these. [New] converts other values.
	Params map[string]any
}

// verbatim is the code of text that comes from outside the program, such as the
// error of an operating system. It is the same in every language.
const verbatim = "verbatim"

// Fallback names a parameter with the English text, for a message whose code may be
// unknown to the program that says it.
const Fallback = "fallback"

// New makes a Message from a code and pairs of a parameter's name and value:
//
//	message.New("files.not_a_folder", "path", path)
//
// Values become what [Message.Params] lists: numbers of any size, durations (as
// seconds), errors (as their Messages), pointers (as what they point to), lists of
// these, and other values by their String method or fmt.Sprint. Whole numbers
// beyond 2^53 become strings, because JSON would round them.
// It panics if a name is missing, because that is a mistake in the source.
func New(code string, pairs ...any) Message {
	if len(pairs) == 0 {
		return Message{Code: code}
	}
	if len(pairs)%2 != 0 {
		panic(fmt.Sprintf("message %s: a value without a name", code))
	}
	params := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			panic(fmt.Sprintf("message %s: parameter %d has no name", code, i/2+1))
		}
		params[name] = toJSONValue(pairs[i+1])
	}
	return Message{Code: code, Params: params}
}

// Verbatim makes a Message of text from outside the program.
func Verbatim(text string) Message {
	if text == "" {
		return Message{}
	}
	return Message{Code: verbatim, Params: map[string]any{"text": toJSONValue(text)}}
}

// IsZero reports whether there is nothing to say.
func (m Message) IsZero() bool { return m.Code == "" }

// Text returns the text of a [Verbatim] message.
func (m Message) Text() (text string, ok bool) {
	if m.Code != verbatim {
		return "", false
	}
	text, ok = m.Params["text"].(string)
	return text, ok
}

// Equal reports whether two messages have the same code and parameters.
func (m Message) Equal(other Message) bool {
	return m.Code == other.Code && maps.EqualFunc(m.Params, other.Params, equal)
}

// String is for logs and tests, not for people: "files.not_a_folder(path=/tmp/x)".
func (m Message) String() string {
	if text, ok := m.Text(); ok {
		return text
	}
	if len(m.Params) == 0 {
		return m.Code
	}
	values := make([]string, 0, len(m.Params))
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		values = append(values, fmt.Sprintf("%s=%v", name, m.Params[name]))
	}
	return m.Code + "(" + strings.Join(values, ", ") + ")"
}
