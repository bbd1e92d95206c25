package desktop

import (
	"context"
	"sync"
	"time"

	"errand/app/config"
	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/i18n"
)

// Deadlines of calls by the page.
const (
	readTimeout   = 2 * time.Second  // a later result is useless
	askTimeout    = 10 * time.Second // the record, a list
	planTimeout   = 20 * time.Second // a dry run reads the system's state
	pluginTimeout = 2 * time.Minute  // a plugin may be downloaded, and is compiled
	replayTimeout = time.Minute
)

// session is the open program and its active run. The parts of [API] share it.
type session struct {
	open   func() (*Engine, error)
	config config.Options
	reset  func() // clears what the parts cache of an engine; called with mu locked

	life context.Context // ends with the window; runs use it
	end  context.CancelFunc
	owns sync.WaitGroup // goroutines that end with life

	changing sync.Mutex // serializes changes and reloads of the configuration

	mu         sync.Mutex
	boot       view.Boot
	engine     *Engine        // nil in safe mode
	conf       *config.Loaded // of engine; in safe mode the defaults
	configured string         // language in the configuration; "": none
	stale      bool           // the configuration has changed since engine was opened
	system     []string       // tags of the languages of the page's system, the preferred one first
	current    *live.Run      // the newest run of this window; one is active at a time
}

// reopen opens the program with the current configuration and closes the previous one.
// If a run is active, it waits for its end, because an approval is bound to the policy
// under which it was given.
func (s *session) reopen() {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.reopenNow()
}

// reopenNow does the same as reopen. The caller holds s.changing.
func (s *session) reopenNow() {
	s.mu.Lock()
	if s.current.Active() {
		s.stale = true
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()

	engine, err := s.open()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Active() { // a run has begun meanwhile
		s.stale = true
		if err == nil {
			_ = engine.Close() // nothing in it was opened yet
		}
		return
	}
	before := s.engine
	s.boot.Problems, s.stale = []view.Problem{}, false
	s.reset()
	if s.engine = engine; err == nil {
		if engine.OnSettingChange != nil {
			engine.OnSettingChange(s.markStale)
		}
		s.conf = engine.Config()
	} else {
		s.engine, s.boot.Problems = nil, Problems(err)
		if s.conf, err = config.Fallback(s.config); err != nil { // not even the path of the configuration is known
			s.conf = &config.Loaded{Config: config.Default()}
		}
	}
	s.boot.File = s.conf.Paths.File
	s.look(s.conf.UI)
	if before != nil {
		s.owns.Go(func() { // calls that have begun end first
			waitBriefly(s.life, planTimeout)
			_ = before.Close()
		})
	}
}

// look reads the window's appearance from the configuration. The caller holds s.mu.
func (s *session) look(ui config.UI) {
	s.configured, s.boot.Theme = ui.Language, ui.Theme
	s.boot.Language = s.languageLocked().Tag()
}

// languageLocked returns the language of the page: the configured one, else the first
// available one of its system, else English. The caller holds s.mu.
func (s *session) languageLocked() *i18n.Language {
	if s.configured != "" {
		return i18n.ForTag(s.configured)
	}
	return i18n.First(s.system...)
}

// language returns the language of the page.
func (s *session) language() *i18n.Language {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.languageLocked()
}

// say renders an answer in the page's language.
func say[T any](s *session, answer T, err error) (T, error) {
	return view.Say(s.language(), answer), err
}

func waitBriefly(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// program returns the engine for one call, with the call's deadline.
func (s *session) program(within time.Duration) (*Engine, context.Context, context.CancelFunc, error) {
	s.mu.Lock()
	engine := s.engine
	s.mu.Unlock()
	if engine == nil {
		return nil, nil, nil, errSafeMode
	}
	ctx, cancel := context.WithTimeout(s.life, within)
	return engine, ctx, cancel, nil
}

// query calls question with the engine and returns the answer in the page's language.
// In safe mode it returns the zero value.
func query[T any](s *session, within time.Duration, zero T, question func(context.Context, *Engine) (T, error)) (T, error) {
	answer, err := ask(s, within, zero, question)
	return say(s, answer, err)
}

// ask does the same as query but keeps messages, for use by the API itself.
func ask[T any](s *session, within time.Duration, zero T, question func(context.Context, *Engine) (T, error)) (T, error) {
	engine, ctx, cancel, err := s.program(within)
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

// markStale makes the next call read the configuration again.
func (s *session) markStale() {
	s.mu.Lock()
	s.stale = true
	s.mu.Unlock()
}

// reloadIfStale reads the configuration again if it was changed during a run.
func (s *session) reloadIfStale() {
	s.mu.Lock()
	stale := s.stale
	s.mu.Unlock()
	if stale {
		s.reopen()
	}
}

func (s *session) latest() *live.Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}
