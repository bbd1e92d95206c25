package app

import (
	"context"
	"strings"
	"sync"
	"time"

	"errand/app/demo"
	"errand/host/event"
	"errand/host/keyfile"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/planner/message"
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
		guard:   lazy(func() (*guard.Guard, error) { return a.sessions.Guard() }),
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
	if err := a.conf.Paths.CheckData(); err != nil {
		return nil, err
	}
	if _, err := keyfile.Open(a.conf.Paths.HashKey()); err != nil {
		return nil, message.Error("app.open_hash_key", "cause", err)
	}
	s, err := sqlite.Open(context.Background(), a.conf.Paths.Data, sqlite.Options{Publish: func(news []event.Event) {
		if b := a.bus.Load(); b != nil {
			b.Tell(news...)
		}
	}})
	if err != nil {
		return nil, err
	}
	a.addCloser(s.Close)
	bus := event.NewBus(s)
	a.bus.Store(bus)
	a.addCloser(func() error { bus.Close(); return nil })
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
		return nil, err
	}
	a.addCloser(site.Close)
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

// closeTimeout bounds what is still written and closed when something has ended.
const closeTimeout = 8 * time.Second
