package desktop

import (
	"context"
	"time"

	"errand/app/desktop/view"
)

// draftCounter counts the drafts that need approval and tells the page the number.
type draftCounter struct {
	*session
	face Face

	pendingDrafts int // guarded by mu
}

// watch counts the drafts that need approval after each change of drafts and tells the page
// the number. It returns when the API is closed.
func (a *draftCounter) watch() {
	for a.life.Err() == nil {
		a.mu.Lock()
		engine := a.engine
		a.mu.Unlock()
		if engine != nil {
			ctx, cancel := context.WithCancel(a.life)
			news := make(chan struct{}, 1)
			watching := make(chan struct{})
			go func() { // ends with ctx
				defer close(watching)
				_ = engine.WatchDrafts(ctx, func() {
					select {
					case news <- struct{}{}:
					default:
					}
				})
			}()
			a.count(engine, news, watching)
			cancel()
			<-watching
		}
		waitBriefly(a.life, time.Second)
	}
}

// count counts after each change of drafts and each time that a draft expires. It returns when
// watching ends or the program was opened again.
func (a *draftCounter) count(engine *Engine, news, watching <-chan struct{}) {
	expires := time.NewTimer(time.Hour)
	defer expires.Stop()
	check := time.NewTicker(5 * time.Second)
	defer check.Stop()
	for {
		select {
		case <-watching:
			return
		case <-check.C:
			a.mu.Lock()
			same := a.engine == engine
			a.mu.Unlock()
			if !same {
				return
			}
			continue
		case <-news:
		case <-expires.C:
		}
		ctx, cancel := context.WithTimeout(a.life, askTimeout)
		waiting, err := engine.ListDrafts(ctx, false)
		cancel()
		if err != nil {
			continue
		}
		next := time.Hour
		for _, d := range waiting {
			next = min(next, max(time.Until(d.ExpiresAt), 0)+100*time.Millisecond)
		}
		expires.Reset(next)
		a.setWaiting(len(waiting))
	}
}

// setWaiting sends the number to the page even if it is unchanged, because the page may
// have counted a draft that began and ended between two counts.
func (a *draftCounter) setWaiting(n int) {
	a.mu.Lock()
	a.pendingDrafts = n
	a.mu.Unlock()
	a.face.Emit(view.EventWaiting, view.WaitingEvent{Waiting: n})
}
