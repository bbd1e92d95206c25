package view

import (
	"errors"

	"errand/host/tool"
)

// Error lets a bound method return a Failure as it is.
func (f *Failure) Error() string { return f.Message }

// Text is the message of a failure that there need not be.
func (f *Failure) Text() string {
	if f == nil {
		return ""
	}
	return f.Message
}

func FailureOf(err error) *Failure {
	var f *Failure
	if err == nil || errors.As(err, &f) {
		return f
	}
	return NewFailure(tool.AsError(err))
}

func NewFailure(e *tool.Error) *Failure {
	if e == nil {
		return nil
	}
	return &Failure{Class: string(e.Class), Code: e.Code, Message: e.Message, Hint: e.Hint, Retriable: e.Retriable}
}
