// Package planning reads a goal's words and plans what they ask for, against the
// world as it is now. It carries nothing out.
package planning

import (
	"context"
	"slices"
	"sync"
	"time"

	"errand/app/config"
	"errand/app/planning/places"
	"errand/app/secrets"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner"
	"errand/planner/installed"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/interpret/suggest"
	"errand/planner/message"
	"errand/planner/plan"
)

// Options are what a [Planner] works with.
type Options struct {
	Config *config.Loaded
	Vault  *secrets.Vault
	// Store opens the record. Suggestions come from its runs, and worlds from its
	// facts.
	Store func() (store.Store, error)
	// Capabilities are those of the program's tools.
	Capabilities func(context.Context) ([]plan.Capability, error)
	// Off lists the tools that the user turned off. Nil: none.
	Off func() []tool.Off
	Now func() time.Time // nil: time.Now
	// Folders returns the folders that the user granted for all runs. Nil: none.
	Folders func() []string
	// Recipes are those that words can name. Without Names there are none.
	Recipes Recipes
	// Phrases call tools of plugins in words. Without All there are none.
	Phrases Phrases
	// Apps finds the apps of this machine. Nil: only those of the catalogue are known.
	Apps installed.Finder
	// Context is what earlier goals were about, for goals that are read here. Nil: nothing.
	Context func() followup.Context
	// OpenPage reports whether a page is open in a browser that outlives a run. Nil: there is no
	// such browser.
	OpenPage func() bool
	// LostWindow reports whether such a browser ended with a failure. Nil: it did not.
	LostWindow func() bool
}

// Planner reads and plans goals. It may be used by several goroutines at once.
type Planner struct {
	places.Places
	vault        *secrets.Vault
	storage      func() (store.Store, error)
	capabilities func(context.Context) ([]plan.Capability, error)
	off          func() []tool.Off
	folders      func() []string // see [Options]
	recipes      Recipes
	phrases      Phrases
	apps         installed.Finder
	context      func() followup.Context
	openPage     func() bool
	lostWindow   func() bool
	reader       *interpret.Interpreter
	suggester    *suggest.Suggester
	planner      *planner.Planner
}

// WithFolders returns the planner for a run that may use further folders, absolute and clean. They
// are asked for once, and only if a goal may be about files.
func (p *Planner) WithFolders(folders func() []string) *Planner {
	wide, before := *p, p.Granted
	wide.Granted = sync.OnceValue(func() []string {
		if before == nil {
			return folders()
		}
		return slices.Concat(before(), folders())
	})
	return &wide
}

// New makes a planner. It opens nothing. It fails where the catalogue can't be read.
func New(o Options) (*Planner, error) {
	reader, err := interpret.New(o.Config.Catalogue, interpret.Options{DefaultPlatform: o.Config.Search.DefaultPlatform, TopicSites: o.Config.Search.Topics(), WakeWords: o.Config.UI.WakeWords, IsRecipe: o.Recipes.isOne})
	if err != nil {
		return nil, message.Error("planning.read_catalogue", "cause", err)
	}
	goals := planner.New(o.Config.Catalogue)
	goals.DefaultPlatform = o.Config.Search.DefaultPlatform
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Folders == nil {
		o.Folders = func() []string { return nil }
	}
	if o.Off == nil {
		o.Off = func() []tool.Off { return nil }
	}
	return &Planner{
		off: o.Off, openPage: o.OpenPage, lostWindow: o.LostWindow, folders: o.Folders,
		Places: places.Places{Conf: o.Config, Now: o.Now}, vault: o.Vault, storage: o.Store, capabilities: o.Capabilities, recipes: o.Recipes, phrases: o.Phrases, apps: o.Apps, context: o.Context,
		reader: reader, suggester: suggest.New(reader), planner: goals,
	}, nil
}
