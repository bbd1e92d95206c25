package desktop

import (
	"context"
	"sync"
	"time"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
)

// Deadlines of what the page waits for.
const (
	readTimeout   = 2 * time.Second  // a reading that is not there by then is of no use
	askTimeout    = 10 * time.Second // the record, a list
	planTimeout   = 20 * time.Second // a dry run looks at the system
	pluginTimeout = 2 * time.Minute  // one may be fetched, and is compiled
	replayTimeout = time.Minute
)

// API is what the page can call: its exported methods, several at once. Errors
// reach the page as a [Failure]. What no page may call is [Life]'s.
type API struct {
	open   func() (*Engine, error)
	config config.Options
	face   Face

	openFolder func(ctx context.Context, dir string) error

	life context.Context // ends with the window; runs live in it
	end  context.CancelFunc
	owns sync.WaitGroup // goroutines that end with life

	changing sync.Mutex // one at a time changes the configuration, or takes it up

	mu       sync.Mutex
	boot     view.Boot
	engine   *Engine        // nil in safe mode
	conf     *config.Loaded // of engine; in safe mode the defaults
	stale    bool           // the configuration has changed since engine was opened
	shown    view.Plan      // the plan that the person saw last
	left     []leftPlan     // what the plans were made of that were seen lately, the newest last
	current  *live          // the newest run of this window; one is active at a time
	mayClose bool           // the person agreed to end the active run
	looking  bool           // the person looks at the page
	offer    *offer         // the plugin that was proposed last
	waiting  int            // drafts, as they were counted last
	saved    string         // the file that was exported last
	past     *shelf         // the run of the past that was looked at last
}

// Options make an [API].
type Options struct {
	// Open opens the program; again after its configuration was changed here. Its
	// error is shown in safe mode: a config.Faults or any other.
	Open   func() (*Engine, error)
	Config config.Options // where Open reads the configuration from
	Face   Face
	Demo   bool // see [Boot]
}

// New opens the program and makes the API of it. Where it can't be opened the
// API is in safe mode: nothing can be planned or run, and the faults say why.
func New(o Options) *Life {
	a := &API{open: o.Open, config: o.Config, face: o.Face, openFolder: app.OpenFolder, looking: true}
	a.boot = view.Boot{Version: app.Version, Demo: o.Demo, Dialogs: o.Face.Dialogs(), Examples: examples}
	a.life, a.end = context.WithCancel(context.Background())
	a.reopen()
	a.owns.Go(a.watchDrafts)
	return &Life{api: a}
}

// examples are for a person who sees the window for the first time: each can be
// reached without any configuration.
var examples = view.Examples{
	En: []string{
		"open youtube and search nvidia",
		"search wikipedia for alan turing",
		"create folder Invoices in documents",
		"what time is it",
	},
	Ru: []string{
		"открой ютуб и найди nvidia",
		"найди в википедии алан тьюринг",
		"создай папку Счета в документах",
		"который час",
	},
}

// reopen opens the program as its configuration says now, and lets go of the one
// that was open. While a run is active that waits for the run's end: an approval
// is bound to the policy that it was given under.
func (a *API) reopen() {
	a.changing.Lock()
	defer a.changing.Unlock()
	a.reopenNow()
}

// reopenNow is reopen for who holds a.changing.
func (a *API) reopenNow() {
	a.mu.Lock()
	if a.current.active() {
		a.stale = true
		a.mu.Unlock()
		return
	}
	a.mu.Unlock()

	engine, err := a.open()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current.active() { // it has begun meanwhile
		a.stale = true
		if err == nil {
			_ = engine.Close() // nothing was opened in it yet
		}
		return
	}
	before := a.engine
	a.boot.Faults, a.stale, a.shown, a.past, a.offer = []view.Fault{}, false, view.Plan{}, nil, nil
	if a.engine = engine; err == nil {
		a.conf = engine.Config()
	} else {
		a.engine, a.boot.Faults = nil, Faults(err)
		if a.conf, err = config.Fallback(a.config); err != nil { // not even a place for it
			a.conf = &config.Loaded{Config: config.Default()}
		}
	}
	a.boot.File, a.boot.Language, a.boot.Theme = a.conf.Paths.File, a.conf.UI.Language, a.conf.UI.Theme
	if before != nil {
		a.owns.Go(func() { // calls that have begun end first
			linger(a.life, planTimeout)
			_ = before.Close()
		})
	}
}

func linger(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// program is the engine for one call, with the call's deadline.
func (a *API) program(within time.Duration) (*Engine, context.Context, context.CancelFunc, error) {
	a.mu.Lock()
	engine := a.engine
	a.mu.Unlock()
	if engine == nil {
		return nil, nil, nil, errSafeMode
	}
	ctx, cancel := context.WithTimeout(a.life, within)
	return engine, ctx, cancel, nil
}

// query puts one question to the program. In safe mode the answer is zero.
func query[T any](a *API, within time.Duration, zero T, question func(context.Context, *Engine) (T, error)) (T, error) {
	engine, ctx, cancel, err := a.program(within)
	if err != nil {
		return zero, err
	}
	defer cancel()
	answer, err := question(ctx, engine)
	if err != nil {
		return zero, err
	}
	return answer, nil
}

// Start is the page's first question.
func (a *API) Start() (view.Boot, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.boot
	b.Waiting = a.waiting
	if a.current.active() {
		v, _ := a.current.look()
		b.Active = v.RunID
	}
	return b, nil
}

// Attend tells whether the person looks at the page, which decides whether the
// end of a run is notified.
func (a *API) Attend(looking bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.looking = looking
	return nil
}

// Stop interrupts the active run and answers at once; its last event says when
// it has ended, and what is left of it.
func (a *API) Stop() error {
	a.latest().stop()
	return nil
}

// Close closes the window. While a run is active it does so only with stop,
// which ends the run first; without, the page is asked by [EventClose].
func (a *API) Close(stop bool) error {
	if stop {
		a.mu.Lock()
		a.mayClose = true
		a.mu.Unlock()
		a.latest().stop()
	}
	a.face.Quit()
	return nil
}

func (a *API) latest() *live {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.current
}
