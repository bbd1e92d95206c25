package tool

import (
	"context"

	"errand/planner/message"
)

type previewKey struct{}

// WithPreviews returns a context in which a [Forecaster] may preview a call by a call of
// another tool. decide returns why such a call is not permitted, or nil.
func WithPreviews(ctx context.Context, decide func(Spec, Call) *Error) context.Context {
	return context.WithValue(ctx, previewKey{}, decide)
}

// PermitPreview returns why a tool may not call the tool of spec for a forecast, or nil.
// Nothing is permitted unless ctx is of [WithPreviews].
func PermitPreview(ctx context.Context, spec Spec, call Call) *Error {
	if decide, ok := ctx.Value(previewKey{}).(func(Spec, Call) *Error); ok {
		return decide(spec, call)
	}
	return NewError(PolicyDenied, "denied", message.New("run.denied"))
}
