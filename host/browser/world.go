package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

//go:embed inpage.js
var inpage string

// worldName is what Chromium knows our world of a frame by.
const worldName = "errand"

// world is where our own script runs in the document of a frame.
type world struct {
	loader  proto.NetworkLoaderID
	context proto.RuntimeExecutionContextID
}

// errReplaced is why something could not be done to a document: another one
// took its place.
var errReplaced = errors.New("the page was replaced by another one meanwhile")

// world makes the frame's world, or finds the one that its document has. The
// caller holds the page's turn.
func (f *frame) world(ctx context.Context) (proto.RuntimeExecutionContextID, error) {
	if w, ok := f.doc.worlds[f.id]; ok && w.loader == f.loader {
		return w.context, nil
	}
	made, err := proto.PageCreateIsolatedWorld{FrameID: f.id, WorldName: worldName}.Call(f.call(ctx))
	if err != nil {
		return 0, replaced(err)
	}
	res, err := proto.RuntimeEvaluate{Expression: inpage, ContextID: made.ExecutionContextID}.Call(f.call(ctx))
	switch {
	case err != nil:
		return 0, replaced(err)
	case res.ExceptionDetails != nil:
		return 0, fmt.Errorf("prepare the page: %s", thrown(res.ExceptionDetails))
	}
	if f.doc.worlds == nil || len(f.doc.worlds) > 1000 {
		f.doc.worlds = map[proto.PageFrameID]world{}
	}
	f.doc.worlds[f.id] = world{f.loader, made.ExecutionContextID}
	return made.ExecutionContextID, nil
}

// forget drops a world that turned out to be gone.
func (f *frame) forget() { delete(f.doc.worlds, f.id) }

// functionCall is Runtime.callFunctionOn.
type functionCall struct {
	Function string                          `json:"functionDeclaration"`
	This     proto.RuntimeRemoteObjectID     `json:"objectId,omitempty"`
	Context  proto.RuntimeExecutionContextID `json:"executionContextId,omitempty"`
	Args     []map[string]any                `json:"arguments,omitempty"`
	ByValue  bool                            `json:"returnByValue"`
	Await    bool                            `json:"awaitPromise"`
	Group    string                          `json:"objectGroup"`
}

// returned is what a function gave.
type returned struct {
	Result struct {
		Object proto.RuntimeRemoteObjectID `json:"objectId"`
		Value  json.RawMessage             `json:"value"`
	} `json:"result"`
	Exception *proto.RuntimeExceptionDetails `json:"exceptionDetails"`
}

// run calls a function of ours in the frame's document and reads its answer.
// this is an object of the frame; "" for none.
func (f *frame) run(ctx context.Context, this proto.RuntimeRemoteObjectID, answer any, name string, args ...any) error {
	res, err := f.invoke(ctx, this, true, "function (...args) { return errand."+name+".apply(this, args) }", args...)
	if err != nil || answer == nil || res.Result.Value == nil {
		return err
	}
	return json.Unmarshal(res.Result.Value, answer)
}

// invoke calls a function in the frame's world and answers with what it gave.
func (f *frame) invoke(ctx context.Context, this proto.RuntimeRemoteObjectID, byValue bool, function string, args ...any) (returned, error) {
	in, err := f.world(ctx)
	if err != nil {
		return returned{}, err
	}
	call := functionCall{Function: function, This: this, ByValue: byValue, Await: true, Group: f.doc.group}
	if this == "" {
		call.Context = in
	}
	for _, a := range args {
		key := "value"
		if _, ok := a.(proto.RuntimeRemoteObjectID); ok {
			key = "objectId"
		}
		call.Args = append(call.Args, map[string]any{key: a})
	}
	var res returned
	if err := f.call(ctx).do("Runtime.callFunctionOn", call, &res); err != nil {
		if err = replaced(err); errors.Is(err, errReplaced) {
			f.forget()
		}
		return returned{}, err
	}
	if res.Exception != nil {
		return returned{}, &scriptError{thrown(res.Exception)}
	}
	return res, nil
}

// scriptError is what a function of ours threw.
type scriptError struct{ text string }

func (e *scriptError) Error() string { return e.text }

func thrown(d *proto.RuntimeExceptionDetails) string {
	text := d.Text
	if d.Exception != nil && d.Exception.Description != "" {
		text, _, _ = strings.Cut(d.Exception.Description, "\n")
	}
	return clip(text)
}

// replaced tells the ends of a call whose document is gone from others.
func replaced(err error) error {
	var said *cdp.Error
	if !errors.As(err, &said) {
		return err
	}
	for _, gone := range []string{
		"Cannot find context", "Execution context was destroyed", "context with specified id", "Inspected target navigated",
		"No frame for given id", "Frame with the given id", "No node with given id", "Could not find node", "Session with given id not found",
		"does not belong to the document", "Node with given id", "Could not find object", "Cannot find object", "not attached",
		"Object reference chain", "uniqueContextId not found",
	} {
		if strings.Contains(said.Message, gone) {
			return fmt.Errorf("%w (%s)", errReplaced, said.Message)
		}
	}
	return err
}
