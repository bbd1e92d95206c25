package catalogue

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"errand/planner/message"
)

// maxSelector is the maximum length of a CSS selector in the user's sites, in bytes.
const maxSelector = 500

// isID reports whether s consists of lower-case letters, digits and _, and starts with a
// letter.
func isID(s string) bool {
	return s != "" && s[0] != '_' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// check validates the user's entries. It also makes sure that no two entries claim the
// same words or host. It reports all errors at once. ownSites and ownApps are the entries
// before merging, in which duplicate ids can still be detected.
func (c *Catalogue) check(own map[string]bool, ownSites []Site, ownApps []App) error {
	var faults []error
	faults = append(faults, duplicateErrors("site", ownSites, func(s Site) string { return s.ID })...)
	faults = append(faults, duplicateErrors("app", ownApps, func(a App) string { return a.ID })...)
	for _, s := range c.sites {
		if own[s.ID] {
			faults = append(faults, s.problems()...)
		}
	}
	for _, a := range c.apps {
		if own[a.ID] {
			faults = append(faults, a.problems()...)
		}
	}
	allForms, sites, apps := c.aliasForms(), aliases{kind: "site"}, aliases{kind: "app"}
	for i, s := range c.sites {
		faults = append(faults, sites.add(s.ID, allForms.sites[i])...)
	}
	for i, a := range c.apps {
		faults = append(faults, apps.add(a.ID, allForms.apps[i])...)
	}
	faults = append(faults, sites.conflictsWith(apps)...)
	_, taken := c.indexHosts()
	return errors.Join(append(faults, taken...)...)
}

func duplicateErrors[E any](kind string, own []E, id func(E) string) []error {
	var faults []error
	seen := map[string]bool{}
	for _, e := range own {
		if seen[id(e)] {
			faults = append(faults, &EntryError{kind, id(e), "id", message.New("catalogue.given_twice")})
		}
		seen[id(e)] = true
	}
	return faults
}

func (s Site) problems() []error {
	var faults []error
	fault := func(field string, m message.Message) {
		faults = append(faults, &EntryError{"site", s.ID, field, m})
	}
	if !isID(s.ID) {
		fault("id", message.New("catalogue.bad_id"))
	}
	home, err := httpsURL(s.Home)
	if err != nil {
		fault("home", message.FromError(err))
	}
	for _, h := range s.Hosts {
		if u, err := url.Parse("https://" + h); err != nil || u.Host != h || u.Port() != "" || h != strings.ToLower(h) || !strings.Contains(h, ".") {
			fault("hosts", message.New("catalogue.bad_host", "host", h))
		}
	}
	for _, r := range []struct{ field, selector string }{{"results.row", s.Results.Row}, {"results.title", s.Results.Title}, {"results.link", s.Results.Link}} {
		switch {
		case len(r.selector) > maxSelector:
			fault(r.field, message.New("catalogue.long_selector", "size", len(r.selector), "limit", maxSelector))
		case r.selector == "" && s.Results != (Results{}) && r.field != "results.link":
			fault(r.field, message.New("catalogue.no_selector"))
		}
	}
	for topic, form := range s.Forms {
		page, _, hasQuery := strings.Cut(form, "?")
		u, err := httpsURL(page)
		switch {
		case err != nil:
			fault("forms."+topic, message.FromError(err))
		case !hasQuery || strings.Contains(page, "{"):
			fault("forms."+topic, message.New("catalogue.form_without_query", "example", "?to={to}"))
		case home != nil && !sameSite(u.Host, home.Host) && !slices.Contains(s.Hosts, u.Host):
			fault("forms."+topic, message.New("catalogue.foreign_form_host", "host", u.Host))
		}
	}
	if s.Search == "" {
		return faults
	}
	if n := strings.Count(s.Search, placeholder); n != 1 {
		fault("search", message.New("catalogue.bad_placeholder", "count", n, "placeholder", placeholder))
		return faults
	}
	search, err := httpsURL(strings.Replace(s.Search, placeholder, "q", 1))
	switch {
	case err != nil:
		fault("search", message.FromError(err))
	case strings.Index(s.Search, placeholder) < len("https://")+len(search.Host):
		fault("search", message.New("catalogue.query_in_host"))
	case home != nil && !sameSite(search.Host, home.Host) && !slices.Contains(s.Hosts, search.Host):
		fault("search", message.New("catalogue.foreign_search_host", "host", search.Host))
	}
	return faults
}

// sameSite reports whether two hosts have the same registrable domain. Google Images, for
// example, has the home images.google.com and searches on google.com.
func sameSite(a, b string) bool {
	da, errA := publicsuffix.EffectiveTLDPlusOne(bareHost(a))
	db, errB := publicsuffix.EffectiveTLDPlusOne(bareHost(b))
	return bareHost(a) == bareHost(b) || errA == nil && errB == nil && da == db
}

func httpsURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, message.Error("catalogue.not_a_url", "url", raw)
	case u.Scheme != "https":
		return nil, message.Error("catalogue.not_https", "url", raw)
	case u.Hostname() == "" || u.User != nil:
		return nil, message.Error("catalogue.url_without_host", "url", raw)
	}
	return u, nil
}

func (a App) problems() []error {
	var faults []error
	if !isID(a.ID) {
		faults = append(faults, &EntryError{"app", a.ID, "id", message.New("catalogue.bad_id")})
	}
	if len(a.Exec)+len(a.Linux)+len(a.Windows)+len(a.Darwin) == 0 {
		faults = append(faults, &EntryError{"app", a.ID, "exec", message.New("catalogue.no_command")})
	}
	if len(a.Exec) > 0 && a.Exec[0] == "" {
		faults = append(faults, &EntryError{"app", a.ID, "exec", message.New("catalogue.empty_program")})
	}
	return faults
}

// indexHosts maps every host to its site. A site with the whole host takes precedence over
// one whose home has a path, such as google.com/maps.
func (c *Catalogue) indexHosts() (hosts map[string]int, faults []error) {
	hosts = map[string]int{}
	for i, s := range c.sites {
		own := slices.Clone(s.Hosts)
		if u, err := url.Parse(s.Home); err == nil && (u.Path == "/" || u.Path == "") {
			own = append(own, u.Hostname())
		}
		for _, h := range own {
			h = bareHost(h)
			if j, taken := hosts[h]; taken && j != i {
				faults = append(faults, &EntryError{"site", s.ID, "hosts", message.New("catalogue.host_taken", "host", h, "site", c.sites[j].ID)})
			}
			hosts[h] = i
		}
	}
	return hosts, faults
}

// aliases detects entries of the same kind that share an alias. A site and an app may
// share an alias only if they have the same id: then they are one product (Spotify).
type aliases struct {
	kind  string
	owner map[string]string
	order []string
}

func (a *aliases) add(id string, words []string) []error {
	if a.owner == nil {
		a.owner = map[string]string{}
	}
	var faults []error
	for _, w := range words {
		if w == "" {
			faults = append(faults, &EntryError{a.kind, id, "aliases", message.New("catalogue.empty_alias")})
			continue
		}
		if other, taken := a.owner[w]; taken && other != id {
			faults = append(faults, &EntryError{a.kind, id, "aliases", message.New("catalogue.alias_taken", "alias", w, "kind", a.kind, "other", other)})
			continue
		}
		a.owner[w] = id
		a.order = append(a.order, w)
	}
	return faults
}

func (a *aliases) conflictsWith(b aliases) []error {
	var faults []error
	for _, w := range a.order {
		if other, taken := b.owner[w]; taken && other != a.owner[w] {
			faults = append(faults, &EntryError{a.kind, a.owner[w], "aliases", message.New("catalogue.alias_taken", "alias", w, "kind", b.kind, "other", other)})
		}
	}
	return faults
}
