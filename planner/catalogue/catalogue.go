// Package catalogue knows the sites and apps that a goal can name: their ids,
// the words people say for them, where they live and how to search them.
//
// The built-in entries are data (sites.toml, apps.toml); a person's config
// adds entries or replaces one of the same id, which [New] checks. A
// [Catalogue] is immutable and safe for concurrent use.
//
// An alias is written in its plain form. Russian words change their endings,
// so a word marked with a star ("диспетчер* задач") stands for all its cases,
// and the last word of a Cyrillic alias without any star is declined as if it
// had one. The rules are the table in decline.go.
package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Site is a place on the web that a goal can name.
type Site struct {
	ID      string   `toml:"id" json:"id"`           // "google_maps": lower case, digits and _
	Name    string   `toml:"name" json:"name"`       // as shown to people; empty: the id
	Aliases []string `toml:"aliases" json:"aliases"` // what people say; the name needs no alias of its own
	Home    string   `toml:"home" json:"home"`       // https URL
	Search  string   `toml:"search" json:"search"`   // https URL with exactly one {query}; empty: can't be searched
	Hosts   []string `toml:"hosts" json:"hosts"`     // hosts beside those of Home and Search that belong to the site
	Results Results  `toml:"results" json:"results,omitzero"`
}

// Results says where a site's page of search results has them, in CSS selectors.
// Without it, or where nothing on the page fits, they are found by what the page
// looks like.
type Results struct {
	Row   string `toml:"row" json:"row"`     // an entry; what follows stands in it
	Title string `toml:"title" json:"title"` // its title
	Link  string `toml:"link" json:"link"`   // what has the address; empty: the title
}

// App is a program on this machine that a goal can name.
type App struct {
	ID      string   `toml:"id" json:"id"`
	Name    string   `toml:"name" json:"name"`
	Aliases []string `toml:"aliases" json:"aliases"`
	Browser bool     `toml:"browser" json:"browser,omitempty"` // opens pages: starting it is part of any visit
	Exec    []string `toml:"exec" json:"exec"`                 // argument vector; if given, the only candidate on every system

	// Candidates of the built-in apps, tried in this order: command lines
	// split at spaces, and on macOS names for "open -a".
	Linux   []string `toml:"linux" json:"linux,omitempty"`
	Windows []string `toml:"windows" json:"windows,omitempty"`
	Darwin  []string `toml:"darwin" json:"darwin,omitempty"`
}

// Commands returns the argument vectors to try, best first, on the system
// called goos (a GOOS value). It is empty where the app does not exist.
func (a App) Commands(goos string) [][]string {
	if len(a.Exec) > 0 {
		return [][]string{slices.Clone(a.Exec)}
	}
	var out [][]string
	switch goos {
	case "darwin":
		for _, name := range a.Darwin {
			out = append(out, []string{"open", "-a", name})
		}
	case "windows":
		for _, line := range a.Windows {
			out = append(out, strings.Fields(line))
		}
	default: // the free desktops share their programs
		for _, line := range a.Linux {
			out = append(out, strings.Fields(line))
		}
	}
	return out
}

// Catalogue is a checked set of sites and apps.
type Catalogue struct {
	sites []Site // sorted by id; aliases as they are written
	apps  []App

	said  func() said           // at first need: most commands name no site
	hosts func() map[string]int // without www. → index into sites
}

// Default returns the built-in catalogue, always the same one.
func Default() *Catalogue { return builtIn() }

var builtIn = sync.OnceValue(func() *Catalogue {
	c, err := New(nil, nil)
	if err != nil {
		panic("catalogue: built-in data: " + err.Error()) // the package's test proves that it can't be
	}
	return c
})

// New returns the built-in entries with a person's own added; one with the id
// of a built-in entry replaces it. Errors name the entry and the field. The
// built-in entries are not checked again: the package's test does that.
func New(sites []Site, apps []App) (*Catalogue, error) {
	data, err := load()
	if err != nil {
		return nil, err
	}
	c := &Catalogue{
		sites: merge(data.Sites, sites, func(s Site) string { return s.ID }),
		apps:  merge(data.Apps, apps, func(a App) string { return a.ID }),
	}
	for i := range c.sites {
		c.sites[i].Name = cmp.Or(c.sites[i].Name, c.sites[i].ID)
	}
	for i := range c.apps {
		c.apps[i].Name = cmp.Or(c.apps[i].Name, c.apps[i].ID)
	}
	own := map[string]bool{}
	for _, s := range sites {
		own[s.ID] = true
	}
	for _, a := range apps {
		own[a.ID] = true
	}
	c.said = sync.OnceValue(func() said { return c.expand(own) })
	c.hosts = sync.OnceValue(func() map[string]int {
		hosts, _ := c.indexHosts()
		return hosts
	})
	if len(own) == 0 {
		return c, nil
	}
	if err := c.check(own, sites, apps); err != nil {
		return nil, err
	}
	return c, nil
}

// merge copies base, lets own entries replace those of the same id, and sorts.
func merge[E any](base, own []E, id func(E) string) []E {
	out := slices.Clone(base)
	for _, e := range own {
		i := slices.IndexFunc(out, func(b E) bool { return id(b) == id(e) })
		if i < 0 {
			out = append(out, e)
		} else {
			out[i] = e
		}
	}
	slices.SortStableFunc(out, func(a, b E) int { return cmp.Compare(id(a), id(b)) })
	return out
}

// Sites returns every site, sorted by id, with all inflected aliases.
func (c *Catalogue) Sites() []Site {
	out := make([]Site, len(c.sites))
	for i := range out {
		out[i] = c.site(i)
	}
	return out
}

// Site finds a site by its id.
func (c *Catalogue) Site(id string) (Site, bool) {
	i, ok := c.findSite(id)
	if !ok {
		return Site{}, false
	}
	return c.site(i), true
}

// Searchable reports whether there is a site with this id that can be searched.
func (c *Catalogue) Searchable(id string) bool {
	i, ok := c.findSite(id)
	return ok && c.sites[i].Search != ""
}

func (c *Catalogue) findSite(id string) (int, bool) {
	return slices.BinarySearchFunc(c.sites, id, func(s Site, id string) int { return cmp.Compare(s.ID, id) })
}

// Apps returns every app, sorted by id, with all inflected aliases.
func (c *Catalogue) Apps() []App {
	out := make([]App, len(c.apps))
	for i := range out {
		out[i] = c.app(i)
	}
	return out
}

// App finds an app by its id.
func (c *Catalogue) App(id string) (App, bool) {
	i, ok := c.findApp(id)
	if !ok {
		return App{}, false
	}
	return c.app(i), true
}

// Browser reports whether id is an app that opens pages.
func (c *Catalogue) Browser(id string) bool {
	i, ok := c.findApp(id)
	return ok && c.apps[i].Browser
}

func (c *Catalogue) findApp(id string) (int, bool) {
	return slices.BinarySearchFunc(c.apps, id, func(a App, id string) int { return cmp.Compare(a.ID, id) })
}

// SiteOf finds the site that a host belongs to, ignoring a leading "www.".
func (c *Catalogue) SiteOf(host string) (Site, bool) {
	i, ok := c.hosts()[bareHost(host)]
	if !ok {
		return Site{}, false
	}
	return c.site(i), true
}

// HostPatterns returns what "@catalogue" in policy.allowed_domains stands for:
// each site's hosts, and "www." before the host of its home and of its search
// (real sites redirect there). Sorted and unique.
func (c *Catalogue) HostPatterns() []string {
	var out []string
	for _, s := range c.sites {
		for _, u := range []string{s.Home, s.Search} {
			if host := hostOf(u); host != "" {
				out = append(out, host, "www."+bareHost(host))
			}
		}
		out = append(out, s.Hosts...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// site is a copy that the caller may change.
func (c *Catalogue) site(i int) Site {
	s := c.sites[i]
	s.Aliases, s.Hosts = slices.Clone(c.said().sites[i]), slices.Clone(s.Hosts)
	return s
}

func (c *Catalogue) app(i int) App {
	a := c.apps[i]
	a.Aliases, a.Exec = slices.Clone(c.said().apps[i]), slices.Clone(a.Exec)
	a.Linux, a.Windows, a.Darwin = slices.Clone(a.Linux), slices.Clone(a.Windows), slices.Clone(a.Darwin)
	return a
}
