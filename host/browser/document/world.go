package document

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/planner/message"
)

//go:embed inpage.js
var inpageScript string

// worldName is the name of the isolated world in Chromium.
const worldName = "errand"

// isolatedWorld is the JavaScript world in a frame's document in which Errand's scripts
// run.
type isolatedWorld struct {
	loader  proto.NetworkLoaderID
	context proto.RuntimeExecutionContextID
}

// ErrReplaced is returned if another document replaced the one of the operation.
var ErrReplaced = message.Error("browser.page_replaced")

// isolatedWorld returns the world of the frame's current document and creates it if
// necessary. The caller holds the page's turn.
func (f *Frame) isolatedWorld(ctx context.Context) (proto.RuntimeExecutionContextID, error) {
	if w, ok := f.Doc.isolatedWorlds[f.ID]; ok && w.loader == f.loader {
		return w.context, nil
	}
	made, err := proto.PageCreateIsolatedWorld{FrameID: f.ID, WorldName: worldName}.Call(f.Call(ctx))
	if err != nil {
		return 0, WrapReplaced(err)
	}
	res, err := proto.RuntimeEvaluate{Expression: inpageScript, ContextID: made.ExecutionContextID}.Call(f.Call(ctx))
	switch {
	case err != nil:
		return 0, WrapReplaced(err)
	case res.ExceptionDetails != nil:
		return 0, message.Error("browser.prepare_page", "cause", exceptionText(res.ExceptionDetails))
	}
	if f.Doc.isolatedWorlds == nil || len(f.Doc.isolatedWorlds) > 1000 {
		f.Doc.isolatedWorlds = map[proto.PageFrameID]isolatedWorld{}
	}
	f.Doc.isolatedWorlds[f.ID] = isolatedWorld{f.loader, made.ExecutionContextID}
	return made.ExecutionContextID, nil
}

// forget removes a world that no longer exists.
func (f *Frame) forget() { delete(f.Doc.isolatedWorlds, f.ID) }

// functionCall is Runtime.callFunctionOn.
type functionCall struct {
	Function string                          `json:"functionDeclaration"`
	ObjectID proto.RuntimeRemoteObjectID     `json:"objectId,omitempty"`
	Context  proto.RuntimeExecutionContextID `json:"executionContextId,omitempty"`
	Args     []map[string]any                `json:"arguments,omitempty"`
	ByValue  bool                            `json:"returnByValue"`
	Await    bool                            `json:"awaitPromise"`
	Group    string                          `json:"objectGroup"`
}

// callResult is the result of a function.
type callResult struct {
	Result struct {
		Object proto.RuntimeRemoteObjectID `json:"objectId"`
		Value  json.RawMessage             `json:"value"`
	} `json:"result"`
	Exception *proto.RuntimeExceptionDetails `json:"exceptionDetails"`
}

// Run calls a function of Errand's script in the frame's document and decodes its result.
// this is an object of the frame, or "".
func (f *Frame) Run(ctx context.Context, this proto.RuntimeRemoteObjectID, answer any, name string, args ...any) error {
	res, err := f.Invoke(ctx, this, true, "function (...args) { return errand."+name+".apply(this, args) }", args...)
	if err != nil || answer == nil || res.Result.Value == nil {
		return err
	}
	return json.Unmarshal(res.Result.Value, answer)
}

// Invoke calls a function in the frame's isolated world and returns its result.
func (f *Frame) Invoke(ctx context.Context, this proto.RuntimeRemoteObjectID, byValue bool, function string, args ...any) (callResult, error) {
	in, err := f.isolatedWorld(ctx)
	if err != nil {
		return callResult{}, err
	}
	call := functionCall{Function: function, ObjectID: this, ByValue: byValue, Await: true, Group: f.Doc.Group}
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
	var res callResult
	if err := f.Call(ctx).Do("Runtime.callFunctionOn", call, &res); err != nil {
		if err = WrapReplaced(err); errors.Is(err, ErrReplaced) {
			f.forget()
		}
		return callResult{}, err
	}
	if res.Exception != nil {
		return callResult{}, &ScriptError{exceptionText(res.Exception)}
	}
	return res, nil
}

// ScriptError is an exception that a function of Errand's script threw.
type ScriptError struct{ Text string }

func (e *ScriptError) Error() string { return e.Text }

func exceptionText(d *proto.RuntimeExceptionDetails) string {
	text := d.Text
	if d.Exception != nil && d.Exception.Description != "" {
		text, _, _ = strings.Cut(d.Exception.Description, "\n")
	}
	return address.Clip(text)
}

// WrapReplaced adds ErrReplaced to an error of a call whose document is gone.
func WrapReplaced(err error) error {
	var cdpErr *cdp.Error
	if !errors.As(err, &cdpErr) {
		return err
	}
	for _, text := range []string{
		"Cannot find context", "Execution context was destroyed", "context with specified id", "Inspected target navigated",
		"No frame for given id", "Frame with the given id", "No node with given id", "Could not find node", "Session with given id not found",
		"does not belong to the document", "Node with given id", "Could not find object", "Cannot find object", "not attached",
		"Object reference chain", "uniqueContextId not found",
	} {
		if strings.Contains(cdpErr.Message, text) {
			return message.Error("browser.replaced_by", "cause", ErrReplaced, "detail", cdpErr.Message)
		}
	}
	return err
}
