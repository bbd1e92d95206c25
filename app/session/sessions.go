// Package session opens what a run needs outside of the program: a way to the
// network that notes every connection in the run's record, and a browser behind it.
package session

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/config"
	"errand/app/demo"
	"errand/app/grants"
	"errand/app/secrets"
	"errand/host/browser/chromium"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Options configure [Sessions].
type Options struct {
	Config    *config.Loaded
	Policy    policy.Chain // without grants
	Grants    *grants.Keeper
	Vault     *secrets.Vault
	Site      func() (*demo.Site, error) // nil site outside of the demo
	Demo      bool
	Show      bool               // a visible browser that stays until the user closes it
	Window    *Window            // nil: pages are shown by this program alone
	AddCloser func(func() error) // for what is closed with the program
	Now       func() time.Time
}

// Sessions opens the sessions of runs. It may be used by several goroutines at once.
type Sessions struct {
	o       Options
	visible atomic.Pointer[Session] // the newest one with a visible browser
	// open are the sessions of the runs under way, by run id: what is shared by all
	// runs, such as the plugin host, finds the run that called in it.
	open      sync.Map
	leftovers leftovers

	displayOnce sync.Once
	display     bool
}

// New makes the Sessions of a program. It opens nothing.
func New(o Options) *Sessions { return &Sessions{o: o} }

// New makes the session of a run that was requested by origin. Until it is closed, [Sessions.Find] finds it by the
// run's id.
func (ss *Sessions) New(runID string, origin plan.Origin, note func(trace.Note)) (*Session, error) {
	s := &Session{sessions: ss, runID: runID, origin: origin, note: note, budget: requestBudget{limit: ss.o.Config.Policy.Budget.Requests}}
	var err error
	s.guard, err = ss.newGuard(wire{s}, ss.budget(), func(c guard.Connection) { note(s.connectionNote(c)) })
	if err == nil && runID != "" {
		ss.open.Store(runID, s)
	}
	return s, err
}

// Open makes the session of a run as [Sessions.New] does. A visible browser stays
// until the user closes it.
func (ss *Sessions) Open(runID string, origin plan.Origin, note func(trace.Note)) (*Session, error) {
	s, err := ss.New(runID, origin, note)
	if err != nil {
		return nil, err
	}
	if ss.showsAll() {
		ss.o.AddCloser(s.close)
		ss.visible.Store(s)
	}
	return s, nil
}

// Find returns the session of a run that is under way, else nil.
func (ss *Sessions) Find(runID string) *Session {
	s, _ := ss.open.Load(runID)
	found, _ := s.(*Session)
	return found
}

// FromContext returns the session of the run whose call ctx belongs to.
func (ss *Sessions) FromContext(ctx context.Context) (*Session, error) {
	c, _ := tool.CallerFrom(ctx)
	if s := ss.Find(c.RunID); s != nil {
		return s, nil
	}
	return nil, tool.NewError(tool.ToolUnavailable, "no_run", message.New("session.no_run", "tool", c.Tool))
}

// Guard makes network access for requests outside of runs.
func (ss *Sessions) Guard() (*guard.Guard, error) {
	return ss.newGuard(outsideRequests{ss}, guard.Budget{}, nil)
}

// newGuard makes the network access that d decides for. Only the demo puts addresses
// in place of names.
func (ss *Sessions) newGuard(d guard.Decider, budget guard.Budget, record func(guard.Connection)) (*guard.Guard, error) {
	site, err := ss.o.Site()
	if err != nil {
		return nil, err
	}
	// A plugin's limits.http_body, which can't be more, is what bounds its answers.
	o := guard.Options{Record: record, Budget: budget, MaxBody: 1 << 30}
	if site != nil {
		o.Overrides = site.Hosts()
	}
	return guard.New(d, o), nil
}

// LogPlugin notes what a plugin logs in the record of the run that called it.
// Nothing keeps what it logs outside of a run.
func (ss *Sessions) LogPlugin(ctx context.Context, plugin, level string, line message.Message) {
	c, _ := tool.CallerFrom(ctx)
	if s := ss.Find(c.RunID); s != nil {
		s.note(trace.PluginNote{Plugin: plugin, Level: level, Message: line})
	}
}

// Profiles are the named browser profiles. They are data: no cache is swept of
// them.
func (ss *Sessions) Profiles() chromium.Profiles {
	return chromium.Profiles{Dir: filepath.Join(ss.o.Config.Paths.Data, "profiles")}
}

// WaitBrowser waits until the user has closed the visible browser of this program, or ctx
// ends. It first calls waits. Without such a browser it returns at once.
func (ss *Sessions) WaitBrowser(ctx context.Context, waits func()) error {
	s := ss.visible.Load()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return nil
	}
	waits()
	return b.Wait(ctx)
}
