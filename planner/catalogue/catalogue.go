// Package catalogue knows the sites and apps that a goal can name: their ids, names,
// addresses and search URLs.
//
// The built-in entries are data (sites.toml, apps.toml). The user's configuration adds
// entries, or replaces an entry with the same id; [New] validates them. A [Catalogue] is
// immutable and safe for concurrent use.
//
// Aliases are written in their plain form. Russian words are declined, so a word marked
// with a star ("диспетчер* задач") stands for all of its cases. In a Cyrillic alias
// without a star, the last word is declined. decline.go has the rules.
package catalogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Site is a website that a goal can name.
type Site struct {
	ID      string   `toml:"id" json:"id"`                   // such as "google_maps": lower case, digits and _
	Name    string   `toml:"name" json:"name"`               // the displayed name; empty: the id
	Aliases []string `toml:"aliases" json:"aliases"`         // other names that users use
	Home    string   `toml:"home" json:"home"`               // https URL
	Search  string   `toml:"search" json:"search"`           // https URL with exactly one {query}; empty: no search
	Hosts   []string `toml:"hosts" json:"hosts"`             // further hosts of the site, besides those of Home and Search
	Engine  bool     `toml:"engine" json:"engine,omitempty"` // searches the web at large
	Posts   bool     `toml:"posts" json:"posts,omitempty"`   // people write posts, messages or documents there: "write" is not a search

	// Addresses for a topic, such as "directions", with values in braces in their query: https URLs.
	Forms   map[string]string `toml:"forms" json:"forms,omitempty"`
	Results Results           `toml:"results" json:"results,omitzero"`
}

// Results has the CSS selectors of a site's search results. Without them, or if they match
// nothing, heuristics find the results.
type Results struct {
	Row   string `toml:"row" json:"row"`     // a result; the other selectors apply inside it
	Title string `toml:"title" json:"title"` // the title of the result
	Link  string `toml:"link" json:"link"`   // the element with the address; empty: the title
}

// App is a program on this machine that a goal can name.
type App struct {
	ID      string   `toml:"id" json:"id"`
	Name    string   `toml:"name" json:"name"`
	Aliases []string `toml:"aliases" json:"aliases"`
	Browser bool     `toml:"browser" json:"browser,omitempty"` // the app opens web pages
	Exec    []string `toml:"exec" json:"exec"`                 // argument vector; if set, it is used on every system

	// Candidates of the built-in apps, tried in this order. They are command lines that
	// are split at spaces, and on macOS names for "open -a".
	Linux   []string `toml:"linux" json:"linux,omitempty"`
	Windows []string `toml:"windows" json:"windows,omitempty"`
	Darwin  []string `toml:"darwin" json:"darwin,omitempty"`
}

// Commands returns the argument vectors to try on the given GOOS, best first. It returns
// none if the app does not exist there.
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
	default: // the BSDs use the same programs as Linux
		for _, line := range a.Linux {
			out = append(out, strings.Fields(line))
		}
	}
	return out
}

// Catalogue is a valid set of sites and apps.
type Catalogue struct {
	sites []Site // sorted by id; aliases in their written form
	apps  []App

	builtIn bool // no entry of the user, and built is current

	aliasForms func() aliasForms     // computed on first use: most commands name no site
	hosts      func() map[string]int // maps a host without www. to an index in sites
}

// Default returns the built-in catalogue. It always returns the same one.
func Default() *Catalogue { return builtIn() }

var builtIn = sync.OnceValue(func() *Catalogue {
	c, err := New(nil, nil)
	if err != nil {
		panic("catalogue: built-in data: " + err.Error()) // the package's test validates the data
	}
	return c
})

// New returns the built-in entries together with the user's. A user's entry replaces a
// built-in entry with the same id. Errors name the entry and the field. New doesn't
// validate the built-in entries; the package's test does.
func New(sites []Site, apps []App) (*Catalogue, error) {
	data, err := load()
	if err != nil {
		return nil, err
	}
	var c *Catalogue
	if len(sites)+len(apps) == 0 && isBuilt() {
		c = &Catalogue{sites: data.Sites, apps: data.Apps}
	} else {
		c = newCatalogue(data, sites, apps)
	}
	own := map[string]bool{}
	for _, s := range sites {
		own[s.ID] = true
	}
	for _, a := range apps {
		own[a.ID] = true
	}
	c.builtIn = len(own) == 0 && isBuilt()
	c.aliasForms = sync.OnceValue(func() aliasForms {
		if c.builtIn {
			return built.aliases
		}
		return c.expand(own)
	})
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

// newCatalogue merges the entries and sets missing names.
func newCatalogue(data file, sites []Site, apps []App) *Catalogue {
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
	return c
}

// merge copies base, replaces entries by own ones with the same id, and sorts the result.
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

// IsBuiltIn reports whether the entries are those that the generated files have. A
// vocabulary that is generated from them holds for no other catalogue.
func (c *Catalogue) IsBuiltIn() bool { return c.builtIn }

// Sites returns every site, sorted by id, with all inflected aliases.
func (c *Catalogue) Sites() []Site {
	out := make([]Site, len(c.sites))
	for i := range out {
		out[i] = c.site(i)
	}
	return out
}

// Site returns the site with the given id.
func (c *Catalogue) Site(id string) (Site, bool) {
	i, ok := c.findSite(id)
	if !ok {
		return Site{}, false
	}
	return c.site(i), true
}

// Searchable reports whether the site with this id exists and supports search.
func (c *Catalogue) Searchable(id string) bool {
	i, ok := c.findSite(id)
	return ok && c.sites[i].Search != ""
}

// Engine reports whether the site with this id searches the web at large.
func (c *Catalogue) Engine(id string) bool {
	i, ok := c.findSite(id)
	return ok && c.sites[i].Engine
}

// Posts reports whether people write posts, messages or documents on the site with this id.
func (c *Catalogue) Posts(id string) bool {
	i, ok := c.findSite(id)
	return ok && c.sites[i].Posts
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

// App returns the app with the given id.
func (c *Catalogue) App(id string) (App, bool) {
	i, ok := c.findApp(id)
	if !ok {
		return App{}, false
	}
	return c.app(i), true
}

// Browser reports whether id is an app that opens web pages.
func (c *Catalogue) Browser(id string) bool {
	i, ok := c.findApp(id)
	return ok && c.apps[i].Browser
}

func (c *Catalogue) findApp(id string) (int, bool) {
	return slices.BinarySearchFunc(c.apps, id, func(a App, id string) int { return cmp.Compare(a.ID, id) })
}

// SiteOf returns the site that a host belongs to. It ignores a leading "www.".
func (c *Catalogue) SiteOf(host string) (Site, bool) {
	i, ok := c.hosts()[bareHost(host)]
	if !ok {
		return Site{}, false
	}
	return c.site(i), true
}

// HostPatterns returns the patterns that "@catalogue" in policy.allowed_domains stands
// for: the hosts of every site, and the hosts of its home and its search with "www." in
// front, because sites redirect there. The list is sorted and has no duplicates.
func (c *Catalogue) HostPatterns() []string {
	if c.builtIn {
		return slices.Clone(built.hosts)
	}
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

// site returns a copy that the caller may change.
func (c *Catalogue) site(i int) Site {
	s := c.sites[i]
	s.Aliases, s.Hosts, s.Forms = slices.Clone(c.aliasForms().sites[i]), slices.Clone(s.Hosts), maps.Clone(s.Forms)
	return s
}

func (c *Catalogue) app(i int) App {
	a := c.apps[i]
	a.Aliases, a.Exec = slices.Clone(c.aliasForms().apps[i]), slices.Clone(a.Exec)
	a.Linux, a.Windows, a.Darwin = slices.Clone(a.Linux), slices.Clone(a.Windows), slices.Clone(a.Darwin)
	return a
}
