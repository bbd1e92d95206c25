package actions

import (
	"context"
	"encoding/json"

	"errand/host/browser/page"
	"errand/host/tool"
)

// Options are what the browser's tools work with.
type Options struct {
	// Open gives the browser of the run, starting it where that has not happened
	// yet. The tools never close it.
	Open func(ctx context.Context) (*page.Browser, error)
	// Running gives the browser of the run, nil where there is none. Nothing but
	// opening a page starts one.
	Running func(ctx context.Context) *page.Browser
	// SearchURL is where an engine shows what it finds. Nil: there are no engines.
	SearchURL func(engine, query string) (string, error)
	// Results is how a host's pages of results are made, where that is known. Nil:
	// of none.
	Results func(host string) (ResultShape, bool)
	// Files is what they may touch of the person's files.
	Files Files
}

// New are the browser's actions.
func New(o Options) []tool.Tool {
	var all []tool.Tool
	for _, group := range [][]action{
		o.openActions(), lookActions(), readActions(), o.searchActions(), checkActions(), moveActions(), typeActions(), clickActions(), o.fileActions(),
	} {
		for _, a := range group {
			all = append(all, a.tool(o))
		}
	}
	return all
}

// action is one tool: what its spec says, and what it does to a page.
type action struct {
	name, about string
	schema      json.RawMessage
	effect      tool.Effect
	timeoutMS   int // 0: defaultTimeoutMS
	// do acts on the current page, when it is its turn. call.Effect is what it may
	// come to.
	do func(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error)
	// with is for what is not about the current page; in place of do.
	with func(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error)
	// opens says that the browser is started where there is none.
	opens    bool
	achieves []string
	effects  []string
	retry    tool.RetryProfile // "": that of the effect
	spec     func(*tool.Spec)  // sets what is its own; nil: nothing
	// forecast makes the tool a [tool.Forecaster].
	forecast func(ctx context.Context, call tool.Call) (tool.Forecast, error)
	// reconcile makes it a [tool.Reconciler] as well.
	reconcile func(ctx context.Context, call tool.Call) (tool.Reconciled, error)
	// declared and classified make the tool a [tool.Classifier].
	declared   func(a args) tool.Effect
	classified func(ctx context.Context, t *page.Tab, a args) (tool.Effect, error)
}

// defaultTimeoutMS is for an action whose page goes elsewhere: an element's
// wait, and a load.
const defaultTimeoutMS = 40_000

func (a action) tool(o Options) tool.Tool {
	class, retry := tool.Write, tool.RetryNone
	if a.effect == tool.EffectRead || a.effect == tool.EffectNavigate {
		class = tool.Read
	}
	if a.opens || a.effect == tool.EffectRead {
		retry = tool.RetryTransient
	}
	if a.retry != "" {
		retry = a.retry
	}
	if a.timeoutMS == 0 {
		a.timeoutMS = defaultTimeoutMS
	}
	spec := tool.Spec{
		Name: "browser." + a.name, Description: a.about, ArgsSchema: a.schema, TimeoutMS: a.timeoutMS,
		RetryProfile: retry, SideEffectClass: class, Effect: a.effect,
		CanAchieve: a.achieves, Requires: []string{"page_open"}, Effects: a.effects,
		Untrusted: true, // titles, texts and errors are the page's words
		Source:    "browser",
		Display:   Displays()["browser."+a.name],
	}
	if spec.Page = tool.UsesPage; a.opens {
		spec.Page = tool.OpensPage
	}
	if a.spec != nil {
		a.spec(&spec)
	}
	f := tool.Func(spec, func(ctx context.Context, call tool.Call) (tool.Result, error) { return a.call(ctx, o, call) })
	switch {
	case a.classified != nil:
		return classifier{f, a, o}
	case a.reconcile != nil:
		return reconciler{forecaster{f, a.forecast}, a.reconcile}
	case a.forecast != nil:
		return forecaster{f, a.forecast}
	}
	return f
}

func (a action) call(ctx context.Context, o Options, call tool.Call) (tool.Result, error) {
	var r tool.Result
	b, err := a.browser(ctx, o)
	if err == nil {
		if a.with != nil {
			r, err = a.with(ctx, b, call)
		} else {
			r, err = b.Act(ctx, a.name, func(ctx context.Context, t *page.Tab) (tool.Result, error) { return a.do(ctx, t, call.Args, call) })
		}
		if err == nil {
			return r, nil
		}
	}
	return tool.Result{Error: tool.AsError(err), From: r.From, Secrets: r.Secrets}, nil
}

func (a action) browser(ctx context.Context, o Options) (*page.Browser, error) {
	if a.opens {
		return o.Open(ctx)
	}
	if b := o.Running(ctx); b != nil {
		return b, nil
	}
	return nil, page.NoPageError()
}
