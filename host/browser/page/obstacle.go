package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/challenge"
	"errand/host/browser/chromium"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Codes of pages that need a person or consent before they show their content.
const (
	CodeChallenge = "challenge_page"
	CodeConsent   = "consent_wall"
)

// Timeouts for obstacles on a page.
const (
	obstacleTimeout = 2 * time.Second        // one check
	obstacleSettle  = 3 * time.Second        // a check that browsers pass without a person
	personTimeout   = 5 * time.Minute        // a person to solve the obstacle in the window
	obstaclePause   = 400 * time.Millisecond // pause between checks
	leaveTimeout    = 10 * time.Second       // the next page, if the page leaves instead of answering
)

//go:embed obstacle.js
var obstacleScript string

// passObstacles checks whether the page shows its content. It waits for checks that pass
// without a person. In a visible window the user may solve the rest; meanwhile the clock
// of the call is stopped. Otherwise the call fails. Errand never circumvents a check.
func passObstacles(ctx context.Context, t *Tab) error {
	found, there, err := findObstacle(ctx, t)
	if err != nil && t.snapshot().leaving {
		if err := awaitNextPage(ctx, t); err != nil {
			return err
		}
		found, there, err = findObstacle(ctx, t)
	}
	if err != nil || !there { // the next action reports a page that can't be inspected
		return nil
	}
	if found.Kind == challenge.Interstitial {
		if !waitUntilClear(ctx, t, obstacleSettle) {
			return t.settle(ctx)
		}
	}
	noted := trace.PageNote{
		Event: trace.PageChallenge, Challenge: string(found.Kind), Provider: found.Provider, Evidence: found.Evidence, URL: address.StripUser(currentURL(ctx, t)),
	}
	if !t.Browser.opts.Show {
		t.Browser.notes.Add(userOf(t), noted)
		return obstacleError(found.Describe(address.Host(currentURL(ctx, t))), found.Kind)
	}
	wait := t.Browser.waits.Add(1)
	noted.WaitSeconds, noted.Wait = int(personTimeout.Seconds()), int(wait)
	t.Browser.notes.AddAlways(userOf(t), noted)
	held, release := tool.Hold(ctx, personTimeout)
	defer release()
	was := t.snapshot()
	t.update(func(s *state) { s.handedOver, s.acting = true, false }) // the user handles dialogs meanwhile
	there = waitUntilClear(held, t, personTimeout)
	t.update(func(s *state) { s.handedOver, s.acting = was.handedOver, was.acting })
	s := t.snapshot()
	over := trace.PageUnsolved
	if !there && !s.closed && s.refusal == nil && ctx.Err() == nil {
		over = trace.PageSolved
	}
	t.Browser.notes.AddAlways(userOf(t), trace.PageNote{Event: over, Challenge: string(found.Kind), Wait: int(wait)})
	switch {
	case s.closed:
		return tool.NewError(tool.ExecutionError, "page_closed", message.New("browser.closed_while_waiting"))
	case s.refusal != nil:
		return refusedError("", *s.refusal)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case there:
		return obstacleError(message.New("browser.obstacle_timeout", "obstacle", found.Describe(address.Host(currentURL(ctx, t))), "limit", personTimeout), found.Kind)
	}
	return t.settle(held)
}

// obstacleError returns the error for a page that shows an obstacle instead of its
// content.
func obstacleError(m message.Message, kind challenge.Kind) *tool.Error {
	code := CodeChallenge
	if kind == challenge.Consent {
		code = CodeConsent
	}
	return tool.UnavailableError(code, m).WithHint(message.New("browser.run_with_show"))
}

// waitUntilClear waits until no obstacle remains, and reports whether one does. A next page
// that is loading when the time is over is waited for and looked at.
func waitUntilClear(ctx context.Context, t *Tab, most time.Duration) (there bool) {
	end := time.Now().Add(most)
	tick := time.NewTicker(obstaclePause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return true
		}
		s := t.snapshot()
		if s.closed || s.crashed {
			return true
		}
		if s.leaving { // the next page is loading
			continue
		}
		isLast := time.Now().After(end)
		_, there, err := findObstacle(ctx, t)
		switch {
		case ctx.Err() != nil:
			return true
		case err != nil && (!isLast || t.snapshot().leaving): // a page that leaves doesn't answer
		case err != nil || !there:
			return false
		case isLast:
			return true
		}
	}
}

// awaitNextPage waits for the page that a leaving page makes room for. If it doesn't come in
// time, there is no error.
func awaitNextPage(ctx context.Context, t *Tab) error {
	next, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	if !t.waitFor(next, func(s *state) bool { return !s.leaving || s.refusal != nil || s.crashed || s.closed }) {
		return context.Cause(ctx)
	}
	return t.settle(ctx)
}

// findObstacle looks for an obstacle once. The error is that of a page that can't be
// inspected.
func findObstacle(ctx context.Context, t *Tab) (f challenge.Detection, there bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, obstacleTimeout)
	defer cancel()
	top := t.TopFrame(t.Loader())
	res, err := top.Invoke(ctx, "", true, obstacleScript, challenge.Marks())
	if err != nil {
		return f, false, err
	}
	var look challenge.Snapshot
	if err := json.Unmarshal(res.Result.Value, &look); err != nil {
		return f, false, err
	}
	history, err := proto.PageGetNavigationHistory{}.Call(t.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return f, false, err
	}
	if history.CurrentIndex < 0 || history.CurrentIndex >= len(history.Entries) {
		return f, false, nil
	}
	look.URL, look.Title = history.Entries[history.CurrentIndex].URL, history.Entries[history.CurrentIndex].Title
	s := t.snapshot()
	look.Status, look.Mitigated = s.status, s.mitigated
	if all, err := t.Frames(ctx); err == nil { // includes frames in closed shadow trees, whose size is unknown
		for _, f := range all {
			if f.Parent != nil {
				look.Frames = append(look.Frames, challenge.Frame{URL: f.URL})
			}
		}
	}
	f, there = challenge.Detect(look)
	return f, there, nil
}

// currentURL returns the page's URL, or "" if it is unknown.
func currentURL(ctx context.Context, t *Tab) string {
	res, err := proto.TargetGetTargetInfo{TargetID: t.ID}.Call(t.Browser.Root(ctx))
	if err != nil {
		return ""
	}
	return res.TargetInfo.URL
}
