package core

import (
	"context"
	"slices"

	"errand/host/browser"
	"errand/host/tool"
)

// opening is a tool that tells the browser for which call it opens pages and
// acts on them.
func opening(t tool.Tool, s *session) tool.Tool {
	o := pageOpener{t, s}
	if c, ok := t.(tool.Classifier); ok {
		return pageClassifier{o, c}
	}
	if f, ok := t.(reconcilingForecaster); ok {
		return pageReconciler{pageForecaster{o, f}, f}
	}
	if f, ok := t.(tool.Forecaster); ok {
		return pageForecaster{o, f}
	}
	if r, ok := t.(tool.Reconciler); ok {
		return pageFinder{o, r}
	}
	return o
}

// pageFinder is one of a tool that can find out what came of a call.
type pageFinder struct {
	pageOpener
	r tool.Reconciler
}

// Reconcile passes on. It opens nothing.
func (t pageFinder) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	return t.r.Reconcile(ctx, call)
}

// pageForecaster is one of a tool that says what a call would do, which embedding
// alone would hide.
type pageForecaster struct {
	pageOpener
	f tool.Forecaster
}

// Forecast passes on. It opens nothing.
func (t pageForecaster) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	return t.f.Forecast(ctx, call)
}

type reconcilingForecaster interface {
	tool.Forecaster
	tool.Reconciler
}

// pageReconciler is one of a tool that can also find out what came of a call.
type pageReconciler struct {
	pageForecaster
	r tool.Reconciler
}

// Reconcile passes on. It opens nothing.
func (t pageReconciler) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	return t.r.Reconcile(ctx, call)
}

type pageOpener struct {
	tool.Tool
	s *session
}

// Call passes on with the call in the context.
func (t pageOpener) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if fault := t.missing(call); fault != nil {
		return tool.Result{Error: fault}, nil
	}
	return t.Tool.Call(t.as(ctx, call), call)
}

// missing says why the page that a call is about is not open, where that is
// known.
func (t pageOpener) missing(call tool.Call) *tool.Error {
	if gone := t.s.gone.Load(); gone != nil && slices.Contains(gone.actions, call.CallID) {
		return gone.fault
	}
	return nil
}

func (t pageOpener) as(ctx context.Context, call tool.Call) context.Context {
	return browser.As(ctx, t.s.subject(t.Spec(), call))
}

// pageClassifier is one of a tool that says what a call would come to, which
// embedding alone would hide.
type pageClassifier struct {
	pageOpener
	c tool.Classifier
}

// Declared passes on.
func (t pageClassifier) Declared(call tool.Call) tool.Effect { return t.c.Declared(call) }

// Classify passes on with the call in the context.
func (t pageClassifier) Classify(ctx context.Context, call tool.Call) (tool.Effect, error) {
	if fault := t.missing(call); fault != nil {
		return "", fault
	}
	return t.c.Classify(t.as(ctx, call), call)
}
