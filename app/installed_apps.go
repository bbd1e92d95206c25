package app

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/app/config"
	"errand/host/apps"
	"errand/host/system"
	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/message"
)

// installedApps finds the applications of this machine. Nothing is read before the first question.
// Its methods may be called by several goroutines at once.
type installedApps struct {
	list apps.List
	conf *config.Loaded
	now  func() time.Time

	mu     sync.Mutex
	read   []apps.Entry
	readAt time.Time
}

// keepRead is how long the list that was read is used again. The window asks at every key.
const keepRead = 5 * time.Second

func newInstalledApps(conf *config.Loaded, env []string, now func() time.Time) *installedApps {
	list := apps.List{Environment: apps.ReadEnvironment(getenv(env)), Languages: []string{"en", "ru"}, LookPath: system.CheckedLookPath(conf.CheckProgram)}
	return &installedApps{list: list, conf: conf, now: now}
}

// getenv reads variables of an environment in the format of os.Environ.
func getenv(env []string) func(string) string {
	return func(name string) string {
		for _, entry := range slices.Backward(env) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// finder returns what finds the apps, or nil if this system has none.
func (i *installedApps) finder() installed.Finder {
	if len(i.list.Folders) == 0 {
		return nil
	}
	return i.find
}

// names are the names of all apps in the language of the desktop, sorted.
func (i *installedApps) names() []string {
	names := []string{}
	for _, e := range i.entries(i.list.Locale) {
		names = append(names, e.App.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (i *installedApps) find(l installed.Lookup) installed.Found {
	switch {
	case l.ID != "":
		if e, ok := i.list.Find(l.ID); ok {
			return installed.Found{Exact: []installed.App{describeApp(e, l.Language)}}
		}
		return installed.Found{}
	case l.Instead != "":
		app, ok := i.conf.Catalogue.App(l.Instead)
		if !ok || len(app.Exec) > 0 || i.isHere(app) { // the user's own entries start what they say
			return installed.Found{}
		}
		return installed.Found{Exact: installed.Find(i.entries(l.Language), l.Words, app.Aliases...).Exact}
	}
	return installed.Find(i.entries(l.Language), l.Words)
}

// isHere reports whether a program of an app is on this machine.
func (i *installedApps) isHere(app catalogue.App) bool {
	return slices.ContainsFunc(app.Commands(runtime.GOOS), func(argv []string) bool {
		_, err := system.CheckedLookPath(i.conf.CheckProgram)(argv[0])
		return err == nil
	})
}

// entries returns the applications that menus show, with their names in a language.
func (i *installedApps) entries(language string) []installed.Entry {
	i.mu.Lock()
	if i.readAt.IsZero() || i.now().Sub(i.readAt) > keepRead {
		i.read, i.readAt = i.list.ReadShown(), i.now()
	}
	read := i.read
	i.mu.Unlock()
	out := make([]installed.Entry, len(read))
	for n, e := range read {
		out[n] = installed.Entry{App: describeApp(e, language), Programs: programsOf(e)}
		for _, locale := range append([]string{i.list.Locale, ""}, i.list.Languages...) {
			out[n].Names = add(out[n].Names, e.Name(locale))
			out[n].Generic = add(out[n].Generic, e.GenericName(locale))
			out[n].Keywords = add(out[n].Keywords, e.KeywordsIn(locale)...)
		}
	}
	return out
}

// add appends texts that a list lacks.
func add(list []string, texts ...string) []string {
	for _, text := range texts {
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// describeApp is what a plan says of an entry.
func describeApp(e apps.Entry, language string) installed.App {
	app := installed.App{ID: e.ID, Name: e.Name(language), File: e.File}
	if argv, err := e.Command(); err == nil && apps.StartsShell(argv) {
		words := make([]string, len(argv))
		for i, arg := range argv {
			words[i] = message.ShellWord(arg)
		}
		app.Shell = strings.Join(words, " ")
	}
	return app
}

// programsOf returns the names by which users know the program of an entry.
func programsOf(e apps.Entry) []string {
	id := strings.TrimSuffix(e.ID, ".desktop")
	out := []string{id, id[strings.LastIndexAny(id, "._")+1:]}
	if argv, err := e.Command(); err == nil && !system.IsWrapper(argv[0]) {
		out = append(out, filepath.Base(argv[0]))
	}
	return out
}

// start returns how an installed app is started. Like a program, an app that tools may change is not
// started: neither its file nor what a shell or the like is to run may be in a folder of the tools.
func (i *installedApps) start(id string) (system.Installed, error) {
	e, ok := i.list.Find(id)
	if !ok {
		return system.Installed{}, message.Error("system.no_such_entry", "id", id)
	}
	argv, err := e.Command()
	if err != nil {
		return system.Installed{}, err
	}
	check := []string{e.File}
	if system.IsWrapper(argv[0]) {
		check = append(check, argv[1:]...)
	}
	for _, path := range check {
		if !filepath.IsAbs(path) {
			continue
		}
		if err := i.conf.CheckProgram(path); err != nil {
			return system.Installed{}, err
		}
	}
	names := []string{}
	for _, name := range add(programsOf(e), e.Class) {
		names = append(names, strings.ToLower(name))
	}
	return system.Installed{File: e.File, Name: e.Name(i.list.Locale), Argv: argv, Folder: e.Folder, Terminal: e.Terminal, Names: names}, nil
}
