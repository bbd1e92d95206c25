package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"errand/host/browser/locator"
	"errand/host/tool"
)

// actionTimeout is how long an element is waited for that is not there yet, or
// not ready, unless the call says otherwise. It is within the deadline of the
// call.
const actionTimeout = 5 * time.Second

// needs are the checks of an action, in the words of the script. To be attached
// is needed by all.
type needs []string

// What actions need, after Playwright's table of actionability.
var (
	toLook  = needs{}
	toPoint = needs{"visible", "point"}
	toClick = needs{"visible", "enabled", "point"}
	toFill  = needs{"visible", "enabled", "editable"}
	toPick  = needs{"visible", "enabled"}
	toShow  = needs{"visible"}
)

// readiness is the script's answer: a point in the frame's view, or the check
// that failed and what of the page it is about.
type readiness struct {
	X, Y  float64
	Fault string
	What  string
}

// pauses between looks at a page that is not as wanted yet; the last goes on.
var pauses = []time.Duration{0, 20, 50, 100, 100, 250}

func pause(ctx context.Context, attempt int) error {
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

// prepare waits until what a locator names is one element that has what an action
// needs, and answers with it and a point of it in the page's view. When the
// time is up the error says what failed last.
func (d *document) prepare(ctx context.Context, l locator.Locator, want needs, wait time.Duration) (e *element, at readiness, err error) {
	err = patiently(ctx, wait, func(ctx context.Context, attempt int) error {
		e, at, err = d.prepareNow(ctx, l, want, attempt)
		return err
	})
	return e, at, err
}

// patiently looks again and again, for as long as wait, until a look succeeds or
// fails for good. The last look may take as long as a look takes, also where
// there is no time to wait. Its error is why it was in vain.
func patiently(ctx context.Context, wait time.Duration, look func(ctx context.Context, attempt int) error) error {
	began := time.Now()
	within, cancel := context.WithTimeoutCause(ctx, wait+callTimeout, errSlow)
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := look(within, attempt)
		if err == nil || !mends(err) || time.Since(began) >= wait {
			return err
		}
		if pause(within, attempt) != nil {
			if errors.Is(ctx.Err(), context.Canceled) { // that explains it better
				return ctx.Err()
			}
			return err
		}
	}
}

// mends says whether time may mend an error: an element that is not there or
// not ready, a page that was just replaced.
func mends(err error) bool {
	var typed *tool.Error
	if errors.As(err, &typed) {
		return typed.Code == "no_match" || typed.Code == "not_ready" || typed.Code == CodeTargetDrift
	}
	return errors.Is(err, errReplaced) || errors.As(err, new(unmet))
}

// unmet is that a condition does not hold yet.
type unmet struct{ says, instead string }

func (u unmet) Error() string { return u.says + ": " + u.instead }

func (d *document) prepareNow(ctx context.Context, l locator.Locator, want needs, attempt int) (*element, readiness, error) {
	e, err := d.find(ctx, l)
	if err != nil {
		return nil, readiness{}, err
	}
	var at readiness
	if err := e.frame.run(ctx, e.object, &at, "ready", want, attempt); err != nil {
		return nil, readiness{}, err
	}
	if at.Fault == "" && want.point() {
		at, err = e.frame.inPage(ctx, at)
		if err != nil {
			return nil, readiness{}, err
		}
	}
	if at.Fault != "" {
		_ = e.learn(ctx) // for its name
		return nil, readiness{}, at.fault(e)
	}
	return e, at, nil
}

func (n needs) point() bool { return len(n) > 0 && n[len(n)-1] == "point" }

// inPage brings a point of the frame's view into the page's, through every frame
// that it stands in, each of which has to receive it.
func (f *frame) inPage(ctx context.Context, at readiness) (readiness, error) {
	for ; f.parent != nil && at.Fault == ""; f = f.parent {
		e, err := f.owner(ctx)
		if err != nil {
			return at, err
		}
		x, y := at.X, at.Y
		at = readiness{}
		if err := f.parent.run(ctx, e.object, &at, "through", x, y); err != nil {
			return at, err
		}
	}
	return at, nil
}

// fault says in words which check failed.
func (r readiness) fault(e *element) *tool.Error {
	if r.Fault == "fillable" { // and never will
		return tool.Errorf(tool.ExecutionError, "not_fillable", "%s takes no text", e).
			WithHint("browser.select picks options, browser.check switches boxes")
	}
	why := map[string]string{
		"attached": "it is not in the page any more",
		"visible":  "it is not visible",
		"enabled":  "it is disabled",
		"editable": "it is read-only",
		"stable":   "it does not stand still",
		"in view":  "it can't be scrolled into view",
		"covered":  fmt.Sprintf("%s covers it and would receive the click", clip(r.What)),
	}[r.Fault]
	return tool.Errorf(tool.ExecutionError, "not_ready", "%s can't be acted on: %s (check: %s)", e, why, r.Fault)
}
