package catalogue

import (
	"slices"
	"strings"
)

// aliasForms holds the names that users may use for each entry, by its index: the name, the id
// and the aliases, in all grammatical cases, folded and without duplicates.
type aliasForms struct{ sites, apps [][]string }

// expand lists the names of every entry. If an entry of the user claims a word, the
// built-in entries lose it: users who call their wiki "wiki" mean that one.
func (c *Catalogue) expand(own map[string]bool) aliasForms {
	out := aliasForms{make([][]string, len(c.sites)), make([][]string, len(c.apps))}
	for i, s := range c.sites {
		out.sites[i] = words(s.ID, s.Name, s.Aliases)
	}
	for i, a := range c.apps {
		out.apps[i] = words(a.ID, a.Name, a.Aliases)
	}
	if len(own) == 0 {
		return out
	}
	claimed := map[string]string{} // word → id of the user's entry
	for i, s := range c.sites {
		claim(claimed, own, s.ID, out.sites[i])
	}
	for i, a := range c.apps {
		claim(claimed, own, a.ID, out.apps[i])
	}
	for i, s := range c.sites {
		out.sites[i] = yield(claimed, own, s.ID, out.sites[i])
	}
	for i, a := range c.apps {
		out.apps[i] = yield(claimed, own, a.ID, out.apps[i])
	}
	return out
}

func words(id, name string, aliases []string) []string {
	out := make([]string, 0, 2*len(aliases)+2)
	add := func(alias string) {
		for _, form := range forms(Fold(alias)) {
			if !slices.Contains(out, form) {
				out = append(out, form)
			}
		}
	}
	add(name)
	add(strings.ReplaceAll(id, "_", " "))
	for _, alias := range aliases {
		add(alias)
	}
	return out
}

func claim(claimed map[string]string, own map[string]bool, id string, words []string) {
	for _, w := range words {
		if own[id] {
			claimed[w] = id
		}
	}
}

func yield(claimed map[string]string, own map[string]bool, id string, words []string) []string {
	return slices.DeleteFunc(words, func(w string) bool {
		owner, taken := claimed[w]
		return taken && w != "" && !own[id] && owner != id
	})
}

// Name lists how users may call an entry.
type Name struct {
	ID     string
	App    bool
	Search bool     // a site that supports search
	Plain  []string // folded aliases in their written form (see the package comment), the name first
}

// Names lists the names of sites and then apps, sorted by id. [Decline] puts an alias into
// a grammatical case. A word that an entry of the user claims belongs to that entry alone.
func (c *Catalogue) Names() []Name {
	out := make([]Name, 0, len(c.sites)+len(c.apps))
	add := func(n Name, name string, aliases, spellings []string) {
		for _, alias := range append([]string{name}, aliases...) {
			alias = Fold(alias)
			if slices.Contains(spellings, Decline(alias, Plain)) && !slices.Contains(n.Plain, alias) {
				n.Plain = append(n.Plain, alias)
			}
		}
		out = append(out, n)
	}
	for i, s := range c.sites {
		add(Name{ID: s.ID, Search: s.Search != ""}, s.Name, s.Aliases, c.aliasForms().sites[i])
	}
	for i, a := range c.apps {
		add(Name{ID: a.ID, App: true}, a.Name, a.Aliases, c.aliasForms().apps[i])
	}
	return out
}
