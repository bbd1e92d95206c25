package message

import (
	"context"
	"errors"
	"strings"
)

// Messenger is an error that says what happened as a Message.
type Messenger interface {
	error
	AsMessage() Message
}

// Error makes an error of a code and pairs, as [New] does. Parameters that are
// errors, alone or in a list, are found by errors.Is and errors.As.
func Error(code string, pairs ...any) error {
	e := &messageError{message: New(code, pairs...)}
	for i := 1; i < len(pairs); i += 2 {
		switch cause := pairs[i].(type) {
		case error:
			if !isNil(cause) {
				e.causes = append(e.causes, cause)
			}
		case []error:
			e.causes = append(e.causes, cause...)
		}
	}
	return e
}

// Err makes an error of a message.
func (m Message) Err() error { return &messageError{message: m} }

type messageError struct {
	message Message
	causes  []error
}

func (e *messageError) Error() string      { return e.message.String() }
func (e *messageError) AsMessage() Message { return e.message }
func (e *messageError) Unwrap() []error    { return e.causes }

// FromError returns what an error says: the Message of a [Messenger], else its text. In
// the text of a wrapping error, the texts of the Messengers that it wraps stay
// Messages. Joined errors are a line each. Of returns the zero Message for nil.
func FromError(err error) Message {
	if isNil(err) {
		return Message{}
	}
	if m, ok := err.(Messenger); ok { //nolint:errorlint // a wrapping error has more text
		return m.AsMessage()
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // only this error's own list
		errs := joined.Unwrap()
		if both := errors.Join(errs...); both != nil && err.Error() == both.Error() {
			return Lines(errs...)
		}
	}
	text := err.Error()
	for _, known := range contextErrors {
		if errors.Is(err, known.cause) && text == known.cause.Error() {
			return New(known.code)
		}
	}
	return fromParts(text, messengers(err, nil))
}

// contextErrors are the errors of contexts, whose texts mean nothing to users.
var contextErrors = [...]struct {
	cause error
	code  string
}{
	{context.Canceled, "message.interrupted"},
	{context.DeadlineExceeded, "message.time_up"},
}

// Lines returns what several errors say, a line each. It leaves out nil.
func Lines(errs ...error) Message {
	var lines []Message
	for _, err := range errs {
		if m := FromError(err); !m.IsZero() {
			lines = append(lines, m)
		}
	}
	switch len(lines) {
	case 0:
		return Message{}
	case 1:
		return lines[0]
	}
	return New("message.lines", "lines", lines)
}

// messengers appends the Messengers that err wraps, outermost only, in the order
// of the tree.
func messengers(err error, found []Messenger) []Messenger {
	var below []error
	switch w := err.(type) { //nolint:errorlint // this walks the tree itself
	case interface{ Unwrap() error }:
		below = []error{w.Unwrap()}
	case interface{ Unwrap() []error }:
		below = w.Unwrap()
	}
	for _, e := range below {
		if isNil(e) {
			continue
		}
		if m, ok := e.(Messenger); ok { //nolint:errorlint // this walks the tree itself
			found = append(found, m)
		} else {
			found = messengers(e, found)
		}
	}
	return found
}

// fromParts returns a text in which the texts of errors are their Messages. Errors
// whose text is not there are left out.
func fromParts(text string, errs []Messenger) Message {
	for i, e := range errs {
		inner := e.Error()
		if inner == "" {
			continue
		}
		before, after, ok := strings.Cut(text, inner)
		switch {
		case !ok:
			continue
		case before == "" && after == "":
			return e.AsMessage()
		}
		return New("message.within", "before", before, "message", e.AsMessage(), "after", fromParts(after, errs[i+1:]))
	}
	return Verbatim(text)
}
