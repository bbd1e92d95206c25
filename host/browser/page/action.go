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
)

// Dialog is one that a page opened while an action was under way. It was
// answered at once: no to questions, yes to what only informs.
type Dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
}

// maxDialogs limits the dialogs in an action's result.
const maxDialogs = 5

// errDialog is why an action ends that a person's dialog holds up.
var errDialog = errors.New("a dialog is open that waits for the person")

// Act does something to the current page when it is its turn, and gives every end
// of it its type. what is the action in words, for errors: "click".
//
// Deadlines nest: ctx is the step's; f's own waits are within it; each call of
// the protocol has callTimeout. The browser's end, a crash and the page's being
// closed end f at once.
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
		s.acting, s.dialogs, s.refused, s.download, s.opened, s.asking = true, nil, nil, false, nil, 0
		s.departed, s.from = false, s.loader
	})
	defer t.update(func(s *state) { s.acting = false })
	go t.watchState(ctx, cancel)
	t.Begin()
	defer t.LetGo(t.Browser.life)

	if s := t.snapshot(); s.open && s.handed {
		return tool.Result{}, t.actError(ctx, what, errDialog)
	}
	result, err := f(ctx, t)
	result.From, result.Secrets = t.Sources, t.Secrets
	if err != nil {
		return tool.Result{From: t.Sources, Secrets: t.Secrets}, t.actError(ctx, what, err)
	}
	if payload, ok := result.Payload.(map[string]any); ok {
		if said := t.dialogs(); len(said) > 0 {
			payload["dialogs"] = said
		}
		if names := openedTabs(ctx, t); len(names) > 0 {
			payload["opened"] = names
		}
	}
	return result, nil
}

// watchState ends an action whose page is gone.
func (t *Tab) watchState(ctx context.Context, cancel context.CancelCauseFunc) {
	if !t.waitFor(ctx, func(s *state) bool { return s.crashed || s.gone || s.looped }) {
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

// errPageClosed is why an action ends whose page was closed.
var errPageClosed = errors.New("the page was closed")

func (t *Tab) dialogs() []any {
	t.mu.Lock()
	defer t.mu.Unlock()
	var said []any
	for _, d := range t.state.dialogs {
		said = append(said, map[string]any{"type": d.Type, "message": address.Clip(d.Message)})
	}
	return said
}

// actError gives an end of an action its type. What the page said meanwhile is
// part of it.
func (t *Tab) actError(ctx context.Context, what string, err error) error {
	cause := context.Cause(ctx)
	var typed *tool.Error
	e := func() *tool.Error {
		switch {
		case errors.Is(cause, errCrashed):
			return tool.Errorf(tool.ExecutionError, "page_crashed", "%s: the page crashed", what).WithHint("open it again")
		case errors.Is(cause, chromium.ErrGone), errors.Is(err, chromium.ErrGone), t.Browser.life.Err() != nil:
			return tool.Errorf(tool.ExecutionError, "browser_died", "%s: the browser ended on the way; its last words:\n%s", what, t.Browser.lastWords())
		case errors.Is(cause, errLoop), t.snapshot().looped:
			return loopError(what)
		case errors.Is(cause, errPageClosed), t.snapshot().gone:
			return tool.Errorf(tool.ExecutionError, "page_closed", "%s: %v", what, errPageClosed)
		case errors.Is(err, errDialog):
			return tool.Errorf(tool.ExecutionError, "dialog_open", "%s: %v", what, err).WithHint("answer it in the browser's window")
		case errors.As(err, &typed):
			c := *typed
			c.Message = what + ": " + c.Message
			return &c
		case errors.Is(err, document.ErrReplaced):
			return tool.Errorf(tool.ExecutionError, "page_replaced", "%s: %v", what, document.ErrReplaced).WithHint("look at the page again")
		case errors.Is(ctx.Err(), context.Canceled):
			return tool.AsError(fmt.Errorf("%s: %w", what, context.Canceled))
		case errors.Is(err, document.ErrSlow), errors.Is(err, context.DeadlineExceeded):
			return tool.Errorf(tool.ToolTimeout, "page_timeout", "%s: the page did not answer in time", what)
		}
		return tool.Errorf(tool.ExecutionError, "action_failed", "%s: %v", what, err)
	}()
	for _, d := range t.dialogs() {
		m := d.(map[string]any)
		e.Details = append(e.Details, fmt.Sprintf("dialog (%s): %s", m["type"], m["message"]))
	}
	return e
}

// Follow waits for what an input began: a page that is on its way elsewhere has
// arrived and is quiet, and one that stays has run its handlers. It is over at
// once where nothing was begun.
func (t *Tab) Follow(ctx context.Context) error {
	f := t.TopFrame(t.Loader())
	// Events of what the input's handlers began arrive before the answer to this.
	soon, cancel := context.WithTimeout(ctx, tickTimeout)
	_ = f.Run(soon, "", nil, "tick")
	cancel()
	s := t.snapshot()
	if s.refused == nil && !s.departed {
		return nil
	}
	step := ctx
	ctx, cancel = context.WithTimeoutCause(ctx, loadTimeout, document.ErrSlow)
	defer cancel()
	ended := func(s *state) bool { return !s.leaving || s.refused != nil || s.crashed || s.gone || s.download }
	if !t.waitFor(ctx, ended) {
		t.stopLoading()
		return context.Cause(ctx)
	}
	if s := t.snapshot(); s.loader == s.from && !s.same { // it failed; the event with the reason follows
		news, cancel := context.WithTimeout(ctx, downloadNews)
		t.waitFor(news, func(s *state) bool { return s.download || s.refused != nil || s.leaving || s.loader != s.from })
		cancel()
	}
	switch s := t.snapshot(); {
	case s.refused != nil:
		return refusedError("", *s.refused)
	case s.download:
		return downloadError("")
	case s.loader == s.from && !s.leaving: // within the document, or nowhere
		return nil
	}
	if err := t.settle(ctx); err != nil {
		return err
	}
	return passObstacles(step, t)
}

// tickTimeout bounds the question whether an input began something: a page that
// is too busy to say goes on by itself.
const tickTimeout = 2 * time.Second

// Status is the HTTP status of the document; 0: there was none.
func (t *Tab) Status() int { return t.snapshot().status }

// HasDeparted reports whether a navigation was begun since the action was.
func (t *Tab) HasDeparted() bool { return t.snapshot().departed }

func (t *Tab) Loader() proto.NetworkLoaderID { return t.snapshot().loader }

// Location is the page's address and title, for results.
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
