package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"errand/app/demo"
	"errand/host/event"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/policy/guard"
)

// parts are what a use case may need and most don't: each is opened at its
// first use, once, and closed by the App.
type parts struct {
	storage func() (store.Store, error)
	site    func() (*demo.Site, error) // nil site unless Options.Demo
	guard   func() (*guard.Guard, error)
}

func lazily(a *App) parts {
	return parts{
		storage: lazy(a.openStore),
		site:    lazy(a.openSite),
		guard: lazy(func() (*guard.Guard, error) {
			return a.newGuard(outside{a}, guard.Budget{}, nil)
		}),
	}
}

// lazy opens a part at its first use and keeps it. A failure is not kept: the
// window lives on after the disk has room again or a plugin was mended.
func lazy[T any](open func() (T, error)) func() (T, error) {
	var mu sync.Mutex
	var part T
	opened := false
	return func() (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if opened {
			return part, nil
		}
		p, err := open()
		if err == nil {
			part, opened = p, true
		}
		return p, err
	}
}

func (a *App) openStore() (store.Store, error) {
	s, err := sqlite.Open(context.Background(), a.conf.Paths.Data, sqlite.Options{Publish: func(news []event.Event) {
		if b := a.bus.Load(); b != nil {
			b.Tell(news...)
		}
	}})
	if err != nil {
		return nil, err
	}
	a.own(s.Close)
	bus := event.NewBus(s)
	a.bus.Store(bus)
	a.own(func() error { bus.Close(); return nil })
	return s, nil
}

func (a *App) openSite() (*demo.Site, error) {
	if !a.o.Demo {
		return nil, nil
	}
	var hosts []string
	for _, pattern := range a.conf.Catalogue.HostPatterns() {
		if !strings.ContainsAny(pattern, "*/:!") {
			hosts = append(hosts, pattern)
		}
	}
	site, err := demo.Start(context.Background(), hosts...)
	if err != nil {
		return nil, fmt.Errorf("start the demo site: %w", err)
	}
	a.own(site.Close)
	return site, nil
}

// forgetOld removes what is older than [store] retention_days, once for each
// time that the program is opened. Its failure costs room, not a run.
func (a *App) forgetOld() {
	days := a.conf.Store.RetentionDays
	if days == 0 {
		return
	}
	a.pruned.Do(func() {
		s, err := a.storage()
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_, _ = s.Prune(ctx, a.now().AddDate(0, 0, -days))
	})
}

// newGuard makes the door to the network. Only the demo puts addresses in place
// of names.
func (a *App) newGuard(d guard.Decider, budget guard.Budget, record func(guard.Connection)) (*guard.Guard, error) {
	site, err := a.site()
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

// pluginLog notes what a plugin logs in the record of the run that called it.
// Nothing keeps what it logs outside of a run.
func (a *App) pluginLog(ctx context.Context, plugin, level, message string) {
	c, _ := tool.CallerFrom(ctx)
	if s := a.sessionOf(c.RunID); s != nil {
		s.note("plugin", map[string]any{"plugin": plugin, "level": level, "message": message})
	}
}

// closeTimeout bounds what is still written and closed when something has ended.
const closeTimeout = 8 * time.Second
