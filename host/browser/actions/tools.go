package actions

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
)

// Options configure the browser's tools.
type Options struct {
	// Open returns the browser of the run and starts it if necessary. The tools never
	// close it.
	Open func(ctx context.Context) (*page.Browser, error)
	// Running returns the browser of the run, or nil if it is not running. Only opening a
	// page starts one.
	Running func(ctx context.Context) *page.Browser
	// Window returns the visible browser of another process if the call of ctx is for that;
	// nil: Open and Running have its browser. opens reports that the call opens a page. A nil
	// Window has none.
	Window func(ctx context.Context, opens bool) Window
	// SearchURL returns the URL of an engine's results. Nil: there are no engines.
	SearchURL func(engine, query string) (string, error)
	// Results returns the structure of a host's result pages, if it is known. Nil: it is
	// never known.
	Results func(host string) (ResultShape, bool)
	// Files says which of the user's files the tools may access.
	Files Files
}

// Window makes calls in a browser of another process.
type Window interface {
	// CallInWindow is Call of [tool.Tool]. done is false if there is no such process and nothing
	// was done: the call is for this program then.
	CallInWindow(ctx context.Context, call tool.Call) (r tool.Result, done bool)
	// ClassifyInWindow is Classify of [tool.Classifier].
	ClassifyInWindow(ctx context.Context, call tool.Call) (tool.Effect, error)
}

// New returns the browser's tools.
func New(o Options) []tool.Tool {
	all := make([]tool.Tool, 0, 32)
	for _, group := range [][]action{
		o.openActions(), tabActions(), lookActions(), readActions(), o.searchActions(), checkActions(), moveActions(), viewActions(), typeActions(), clickActions(), o.fileActions(),
	} {
		for i := range group {
			all = append(all, group[i].tool(o))
		}
	}
	return all
}

// action is one tool: its spec and its implementation. Its texts for people are in
// app/i18n; see [display].
type action struct {
	name, description string
	display           display.Tool // its title and locators are set for all actions
	schema            schema
	effect            tool.Effect
	timeoutMS         int // 0: defaultTimeoutMS
	// do acts on the current page while it holds the page's turn. Its effect must not
	// exceed call.Effect.
	do func(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error)
	// withoutPage replaces do for actions that are not about the current page.
	withoutPage func(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error)
	// opens reports that the action starts the browser if necessary.
	opens    bool
	achieves []string
	effects  []string
	retry    tool.RetryProfile // "": the default of the effect
	spec     func(*tool.Spec)  // sets further fields; nil: none
	// forecast makes the tool a [tool.Forecaster].
	forecast func(ctx context.Context, call tool.Call) (tool.Forecast, error)
	// reconcile makes the tool a [tool.Reconciler], too.
	reconcile func(ctx context.Context, call tool.Call) (tool.Reconciled, error)
	// declared and classified make the tool a [tool.Classifier].
	declared   func(a args) tool.Effect
	classified func(ctx context.Context, t *page.Tab, a args) (tool.Effect, error)
}

// defaultTimeoutMS is the timeout of an action that may navigate: the wait for an element
// and a page load.
const defaultTimeoutMS = 40_000

// specs has the specs of actions by name, without what action.spec sets. They are the same
// for all options.
var specs sync.Map // of *tool.Spec

func (a *action) tool(o Options) tool.Tool {
	known, ok := specs.Load(a.name)
	if !ok {
		known, _ = specs.LoadOrStore(a.name, a.describe())
	}
	spec := *known.(*tool.Spec)
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

// describe makes the action's spec, but for what action.spec sets.
func (a *action) describe() *tool.Spec {
	class, retry := tool.Write, tool.RetryNone
	if a.effect == tool.EffectRead || a.effect == tool.EffectNavigate {
		class = tool.Read
	}
	if a.opens || a.effect == tool.EffectRead {
		retry = tool.RetryTransient
	}
	spec := tool.Spec{
		Name: "browser." + a.name, Description: a.description, ArgsSchema: a.schema.json(), TimeoutMS: cmp.Or(a.timeoutMS, defaultTimeoutMS),
		RetryProfile: cmp.Or(a.retry, retry), SideEffectClass: class, Effect: a.effect,
		CanAchieve: a.achieves, Requires: []string{"page_open"}, Effects: a.effects, Page: tool.UsesPage,
		Untrusted: true, // titles, texts and errors come from the page
		Source:    "browser",
		Display:   a.display.WithName("browser." + a.name),
	}
	spec.Display.Locators = true
	if strings.Contains(a.schema.properties, `"locator": LOCATOR`) && !strings.Contains(a.schema.properties, `"url"`) {
		spec.PageURLOf = identityURL
	}
	if a.opens {
		spec.Page = tool.OpensPage
	}
	return &spec
}

func (a *action) call(ctx context.Context, o Options, call tool.Call) (tool.Result, error) {
	var r tool.Result
	if w := o.window(ctx, a.opens && len(call.Args) > 0); w != nil { // an empty tab belongs to the window that is open
		if r, done := w.CallInWindow(ctx, call); done {
			return r, nil
		}
	}
	b, err := a.browser(ctx, o)
	if err == nil {
		if a.withoutPage != nil {
			r, err = a.withoutPage(ctx, b, call)
		} else {
			r, err = b.Act(ctx, a.name, func(ctx context.Context, t *page.Tab) (tool.Result, error) {
				r, err := a.do(ctx, t, call.Args, call)
				if err != nil && !a.opens {
					err = addPage(ctx, t, err)
				}
				return r, err
			})
		}
		if err == nil {
			return r, nil
		}
	}
	return tool.Result{Error: tool.AsError(err), From: r.From, Secrets: r.Secrets}, nil
}

func (o Options) window(ctx context.Context, opens bool) Window {
	if o.Window == nil {
		return nil
	}
	return o.Window(ctx, opens)
}

func (a *action) browser(ctx context.Context, o Options) (*page.Browser, error) {
	if a.opens {
		return o.Open(ctx)
	}
	if b := o.Running(ctx); b != nil {
		return b, nil
	}
	return nil, page.NoPageError()
}
