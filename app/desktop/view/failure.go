package view

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"errand/app/i18n"
	"errand/host/tool"
	"errand/planner/message"
)

// Error implements error, so that an API method can return a Failure.
func (f *Failure) Error() string { return f.Text() }

// AsMessage returns the message for errors that wrap a Failure.
func (f *Failure) AsMessage() message.Message { return f.Message }

// Text returns the message in English, for the log. It is empty for nil.
func (f *Failure) Text() string {
	if f == nil {
		return ""
	}
	return i18n.English().Text(f.Message)
}

// FailureOf makes a Failure of an error. It returns nil for nil.
func FailureOf(err error) *Failure {
	var f *Failure
	if err == nil || errors.As(err, &f) {
		return f
	}
	return NewFailure(tool.AsError(err))
}

// NewFailure makes a Failure of the program's error. It returns nil for nil.
func NewFailure(e *tool.Error) *Failure {
	if e == nil {
		return nil
	}
	return &Failure{Class: string(e.Class), Code: e.Code, Message: e.Message, Hint: HintFor(e.Code, e.Hint), Retriable: e.Retriable}
}

// namesCommand matches a hint that contains a command or one of its options.
var namesCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\\berrand [a-z]+|(?:^|\\s)--[a-z]|`errand") })

// HintFor returns what the user can do in the window about an error or rule with a
// code. A hint that contains a command is replaced by the window's own hint for this
// code, or for this hint. If there is none, the result is marked.
func HintFor(code string, hint message.Message) message.Message {
	if hint.IsZero() || !namesCommand().MatchString(i18n.English().Text(hint)) {
		return hint
	}
	if own := "window_hint." + strings.ReplaceAll(code, ".", "_"); i18n.English().Has(own) {
		return message.New(own)
	}
	if own := "window_hint." + strings.ReplaceAll(hint.Code, ".", "_"); i18n.English().Has(own) {
		return message.Message{Code: own, Params: hint.Params}
	}
	return message.New("window.on_command_line", "hint", hint)
}
