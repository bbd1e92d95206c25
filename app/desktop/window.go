package desktop

import (
	"errand/app/desktop/view"
	"errand/planner/message"
)

// windowAPI is the part of [API] that starts and closes the window.
type windowAPI struct {
	*session
	face   Face
	drafts *draftCounter

	mayClose bool // the user agreed to end the active run; guarded by mu
	looking  bool // the user looks at the page; guarded by mu
}

// Start returns what the page needs first. languages are the language tags of the user's
// system, the preferred one first. They count if the configuration sets no language. If there
// are several pages, the last call counts.
func (a *windowAPI) Start(languages []string) (view.Boot, error) {
	a.mu.Lock()
	a.system = languages
	a.boot.Language = a.languageLocked().Tag()
	a.mu.Unlock()
	return say(a.session, a.first(), nil)
}

// first returns what the page needs first, without its language.
func (a *windowAPI) first() view.Boot {
	a.mu.Lock()
	b, current := a.boot, a.current
	b.Waiting = a.drafts.pendingDrafts
	a.mu.Unlock()
	if current.Active() {
		v, _ := current.Look() // without a.mu: a run emits events while it is locked, and needs a.mu for them
		b.Active = v.RunID
	}
	return b
}

// Attend sets whether the user looks at the page. If not, the end of a run is notified.
func (a *windowAPI) Attend(looking bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.looking = looking
	return nil
}

// Stop interrupts the active run and returns at once. The run's last event says when it
// has ended and how many processes are still alive.
func (a *windowAPI) Stop() error {
	a.latest().Stop()
	return nil
}

// Close closes the window. If a run is active, stop ends it first; without stop, [EventClose]
// asks the page.
func (a *windowAPI) Close(stop bool) error {
	if stop {
		a.mu.Lock()
		a.mayClose = true
		a.mu.Unlock()
		a.latest().Stop()
	}
	a.face.Quit()
	return nil
}

// notify shows a notice unless the user looks at the page.
func (a *windowAPI) notify(title message.Message, run view.Run) {
	a.mu.Lock()
	away, l := !a.looking, a.languageLocked()
	a.mu.Unlock()
	if away {
		a.face.Notify(Notice{Title: l.Text(title), Body: shorten(run.Text)})
	}
}
