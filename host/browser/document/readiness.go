package document

import (
	"context"
	"errors"
	"strings"
	"time"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// ActionTimeout is the default time to wait until an element exists and is ready. It is
// shorter than the deadline of the call.
const ActionTimeout = 5 * time.Second

// Needs are the required checks of an action, by their names in the script. All actions
// need an attached element.
type Needs []string

// Needs of the actions, following Playwright's table of actionability.
var (
	NeedAttached = Needs{}
	NeedPoint    = Needs{"visible", "point"}
	NeedClick    = Needs{"visible", "enabled", "point"}
	NeedFill     = Needs{"visible", "enabled", "editable"}
	NeedPick     = Needs{"visible", "enabled"}
	NeedVisible  = Needs{"visible"}
)

// Readiness is the script's answer: a point in the frame's view, or the failed check with
// its details.
type Readiness struct {
	X, Y  float64
	Fault string `json:"fault"`
	What  string `json:"what"`
}

// ErrSlow is returned when waiting for a page timed out.
var ErrSlow = message.Error("browser.page_slow")

// pauses between checks of a page. The last one repeats.
var pauses = []time.Duration{0, 20, 50, 100, 100, 250}

func Pause(ctx context.Context, attempt int) error {
	d := pauses[min(attempt, len(pauses)-1)] * time.Millisecond
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Prepare waits until a locator matches exactly one element that fulfils the needs. It
// returns the element and a point of it in the page's view. On timeout the error says what
// failed last.
func (d *Document) Prepare(ctx context.Context, l locator.Locator, want Needs, wait time.Duration) (e *Element, at Readiness, err error) {
	err = Retry(ctx, wait, func(ctx context.Context, attempt int) error {
		e, at, err = d.prepareNow(ctx, l, want, attempt)
		return err
	})
	return e, at, err
}

// Retry calls look until it succeeds, fails permanently, or the wait is over. The last
// call may exceed the wait, and there is at least one. Retry returns the error of the last
// call.
func Retry(ctx context.Context, wait time.Duration, look func(ctx context.Context, attempt int) error) error {
	began := time.Now()
	within, cancel := context.WithTimeoutCause(ctx, wait+chromium.CallTimeout, ErrSlow)
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := look(within, attempt)
		if err == nil || !IsRetriable(err) || time.Since(began) >= wait {
			return err
		}
		if Pause(within, attempt) != nil {
			if errors.Is(ctx.Err(), context.Canceled) { // the earlier error is more precise
				return ctx.Err()
			}
			return err
		}
	}
}

// IsRetriable reports whether an error may be temporary: an element that is missing or not
// ready, or a page that was just replaced.
func IsRetriable(err error) bool {
	if typed, ok := errors.AsType[*tool.Error](err); ok {
		return typed.Code == "no_match" || typed.Code == "not_ready" || typed.Code == CodeTargetDrift
	}
	return errors.Is(err, ErrReplaced) || errors.As(err, new(UnmetError))
}

// UnmetError is returned for a condition that does not hold yet.
type UnmetError struct{ Expected, Actual message.Message }

func (u UnmetError) Error() string { return u.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (u UnmetError) AsMessage() message.Message {
	return message.New("browser.unmet", "says", u.Expected, "instead", u.Actual)
}

func (d *Document) prepareNow(ctx context.Context, l locator.Locator, want Needs, attempt int) (*Element, Readiness, error) {
	e, err := d.Find(ctx, l)
	if err != nil {
		return nil, Readiness{}, err
	}
	var at Readiness
	if err := e.Frame.Run(ctx, e.Object, &at, "ready", want, attempt); err != nil {
		return nil, Readiness{}, err
	}
	if at.Fault == "" && want.point() {
		at, err = e.Frame.toPage(ctx, at)
		if err != nil {
			return nil, Readiness{}, err
		}
	}
	if at.Fault != "" {
		_ = e.Describe(ctx) // for its name
		return nil, Readiness{}, at.error(e)
	}
	return e, at, nil
}

func (n Needs) point() bool { return len(n) > 0 && n[len(n)-1] == "point" }

// toPage converts a point in the frame's view to the page's view. Each enclosing frame
// must receive input at that point.
func (f *Frame) toPage(ctx context.Context, at Readiness) (Readiness, error) {
	for ; f.Parent != nil && at.Fault == ""; f = f.Parent {
		e, err := f.Owner(ctx)
		if err != nil {
			return at, err
		}
		x, y := at.X, at.Y
		at = Readiness{}
		if err := f.Parent.Run(ctx, e.Object, &at, "through", x, y); err != nil {
			return at, err
		}
	}
	return at, nil
}

// error describes the failed check.
func (r Readiness) error(e *Element) *tool.Error {
	if r.Fault == "fillable" { // this is permanent
		return tool.NewError(tool.ExecutionError, "not_fillable", message.New("browser.not_fillable", "element", e.Message())).
			WithAlternative(message.New("browser.use_select_or_check"))
	}
	why := message.New("browser.not_ready", "element", e.Message(), "why", strings.ReplaceAll(r.Fault, " ", "_"), "fault", r.Fault)
	if r.Fault == "covered" {
		why = message.New("browser.covered", "element", e.Message(), "cover", address.Clip(r.What), "fault", r.Fault)
	}
	return tool.NewError(tool.ExecutionError, "not_ready", why)
}
