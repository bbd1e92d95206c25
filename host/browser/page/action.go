package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// Dialog is a dialog that a page opened during an action. It was answered immediately:
// questions with no, messages with OK.
type Dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
}

// maxDialogs limits the dialogs in an action's result.
const maxDialogs = 5

// errDialog is returned if a dialog that waits for the user blocks the action.
var errDialog = message.Error("browser.dialog_open")

// Act performs an action on the current page when it is its turn, and converts errors to
// typed ones. what names the action in errors: "click".
//
// Deadlines nest: ctx is the step's, the waits of f are shorter, and each protocol call
// has callTimeout. If the browser exits or the page crashes or is closed, f is cancelled.
func (b *Browser) Act(ctx context.Context, what string, f func(ctx context.Context, t *Tab) (tool.Result, error)) (tool.Result, error) {
	t, err := b.CurrentTab()
	if err != nil {
		return tool.Result{}, err
	}
	return t.Act(ctx, what, f)
}

func (t *Tab) Act(ctx context.Context, what string, f func(ctx context.Context, t *Tab) (tool.Result, error)) (tool.Result, error) {
	release, err := t.take(ctx)
	if err != nil {
		return tool.Result{}, t.actError(ctx, what, err)
	}
	defer release()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t.update(func(s *state) {
		s.acting, s.dialogs, s.refusal, s.download, s.popupNames, s.asking = true, nil, nil, false, nil, 0
		s.departed, s.startLoader = false, s.loader
	})
	defer t.update(func(s *state) { s.acting = false })
	setActor(t, subjectOf(ctx))
	defer setActor(t, policy.Request{})
	go t.watchState(ctx, cancel)
	t.Begin()
	defer t.ReleaseElements(t.Browser.life)

	if s := t.snapshot(); s.open && s.handedOver {
		return tool.Result{}, t.actError(ctx, what, errDialog)
	}
	result, err := f(ctx, t)
	result.From, result.Secrets = t.Sources, t.Secrets
	if err != nil {
		return tool.Result{From: t.Sources, Secrets: t.Secrets}, t.actError(ctx, what, err)
	}
	if payload, ok := result.Payload.(map[string]any); ok {
		if dialogs := t.dialogs(); len(dialogs) > 0 {
			payload["dialogs"] = dialogs
		}
		if names := openedTabs(ctx, t); len(names) > 0 {
			payload["opened"] = names
		}
	}
	return result, nil
}

// watchState cancels an action whose page is gone.
func (t *Tab) watchState(ctx context.Context, cancel context.CancelCauseFunc) {
	if !t.waitFor(ctx, func(s *state) bool { return s.crashed || s.closed || s.looped }) {
		if t.Browser.life.Err() != nil {
			cancel(chromium.ErrGone)
		}
		return
	}
	switch s := t.snapshot(); {
	case s.crashed:
		cancel(errCrashed)
	case s.looped:
		cancel(errLoop)
	default:
		cancel(errPageClosed)
	}
}

// errPageClosed is returned if the page of an action was closed.
var errPageClosed = message.Error("browser.page_closed")

func (t *Tab) dialogs() []any {
	t.mu.Lock()
	defer t.mu.Unlock()
	var dialogs []any
	for _, d := range t.state.dialogs {
		dialogs = append(dialogs, map[string]any{"type": d.Type, "message": address.Clip(d.Message)})
	}
	return dialogs
}

// actError converts the error of an action to a typed one. It includes dialogs that the
// page opened meanwhile.
func (t *Tab) actError(ctx context.Context, what string, err error) error {
	cause := context.Cause(ctx)
	var typed *tool.Error
	e := func() *tool.Error {
		switch {
		case errors.Is(cause, errCrashed):
			return tool.NewError(tool.ExecutionError, "page_crashed", message.New("browser.action_page_crashed", "action", what)).WithHint(message.New("browser.open_again"))
		case errors.Is(cause, chromium.ErrGone), errors.Is(err, chromium.ErrGone), t.Browser.life.Err() != nil:
			return t.Browser.diedError(message.New("browser.action_browser_died", "action", what, "output", t.Browser.lastWords()))
		case errors.Is(cause, errLoop), t.snapshot().looped:
			return loopError(message.New("browser.dialog_loop", "action", what, "limit", dialogLimit))
		case errors.Is(cause, errPageClosed), t.snapshot().closed:
			return tool.NewError(tool.ExecutionError, "page_closed", message.New("browser.action_failed", "action", what, "cause", errPageClosed))
		case errors.Is(err, errDialog):
			return tool.NewError(tool.ExecutionError, "dialog_open", message.New("browser.action_failed", "action", what, "cause", err)).WithHint(message.New("browser.answer_dialog"))
		case errors.As(err, &typed):
			c := *typed
			c.Message = message.New("browser.action_failed", "action", what, "cause", c.Message)
			return &c
		case errors.Is(err, document.ErrReplaced):
			return tool.NewError(tool.ExecutionError, "page_replaced", message.New("browser.action_failed", "action", what, "cause", document.ErrReplaced)).WithHint(message.New("browser.look_again"))
		case errors.Is(ctx.Err(), context.Canceled):
			return tool.AsError(message.Error("browser.action_failed", "action", what, "cause", context.Canceled))
		case errors.Is(err, document.ErrSlow), errors.Is(err, context.DeadlineExceeded):
			return tool.NewError(tool.ToolTimeout, "page_timeout", message.New("browser.action_timeout", "action", what))
		}
		return tool.NewError(tool.ExecutionError, "action_failed", message.New("browser.action_failed", "action", what, "cause", err))
	}()
	for _, d := range t.dialogs() {
		m := d.(map[string]any)
		e.Details = append(e.Details, fmt.Sprintf("dialog (%s): %s", m["type"], m["message"]))
	}
	return e
}

// Follow waits for the effects of an input. If a navigation has started, it waits until
// the new page is loaded and quiet; otherwise until the page's event handlers have run.
func (t *Tab) Follow(ctx context.Context) error {
	tick(ctx, t)
	s := t.snapshot()
	if s.refusal == nil && !s.departed {
		return nil
	}
	step := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, loadTimeout, document.ErrSlow)
	defer cancel()
	ended := func(s *state) bool { return !s.leaving || s.refusal != nil || s.crashed || s.closed || s.download }
	if !t.waitFor(ctx, ended) {
		t.stopLoading()
		return context.Cause(ctx)
	}
	if s := t.snapshot(); s.loader == s.startLoader && !s.sameDocument { // it failed; the event with the reason follows
		news, cancel := context.WithTimeout(ctx, downloadNews)
		t.waitFor(news, func(s *state) bool { return s.download || s.refusal != nil || s.leaving || s.loader != s.startLoader })
		cancel()
	}
	switch s := t.snapshot(); {
	case s.refusal != nil:
		return refusedError("", *s.refusal)
	case s.download:
		return downloadError("")
	case s.loader == s.startLoader && !s.leaving: // within the document, or no navigation
		return nil
	}
	if err := t.settle(ctx); err != nil {
		return err
	}
	return passObstacles(step, t)
}

// tick calls the page. Events that an input caused arrive before the response.
func tick(ctx context.Context, t *Tab) {
	ctx, cancel := context.WithTimeout(ctx, tickTimeout)
	defer cancel()
	_ = t.TopFrame(t.Loader()).Run(ctx, "", nil, "tick")
}

// arrivalTimeout limits the wait for a navigation of the page itself.
const arrivalTimeout = 5 * time.Second

// AwaitArrival waits until a navigation that an input has started has ended. One that takes too long is
// stopped, and its error is [document.ErrReplaced].
func AwaitArrival(ctx context.Context, t *Tab) error {
	tick(ctx, t)
	waiting, cancel := context.WithTimeout(ctx, arrivalTimeout)
	defer cancel()
	if t.waitFor(waiting, func(s *state) bool { return !s.leaving || s.crashed || s.closed }) {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.stopLoading()
	return document.ErrReplaced
}

// Landed returns the site to which the server of the opened URL has led; "" if the page has
// moved by itself while it was opened.
func Landed(t *Tab) string { return t.snapshot().landed }

// tickTimeout limits the check whether an input started something. A page that is too busy
// to answer is left running.
const tickTimeout = 2 * time.Second

// Status returns the HTTP status of the document, or 0 if there was none.
func (t *Tab) Status() int { return t.snapshot().status }

// HasDeparted reports whether a navigation has started during the action.
func (t *Tab) HasDeparted() bool { return t.snapshot().departed }

func (t *Tab) Loader() proto.NetworkLoaderID { return t.snapshot().loader }

// Location returns the page's address and title, for results.
func (t *Tab) Location(ctx context.Context) (map[string]any, error) {
	history, err := proto.PageGetNavigationHistory{}.Call(t.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return nil, err
	}
	at := map[string]any{"url": "", "title": ""}
	if i := history.CurrentIndex; i >= 0 && i < len(history.Entries) {
		t.AddSource(history.Entries[i].URL)
		at["url"], at["title"] = address.StripUser(history.Entries[i].URL), address.Clip(history.Entries[i].Title)
	}
	return at, nil
}
