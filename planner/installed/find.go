package installed

import (
	"cmp"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/planner/script"
)

// Bounds of an answer.
const (
	maxExact = 8
	maxNear  = 3
)

// Find returns the apps that words mean. Names come before kinds of applications, those before names of
// programs, and those before keywords. If several apps have what counts most, the words mean any of
// them. aliases are other names of what the words mean, which are compared with names alone.
func Find(entries []Entry, words string, aliases ...string) Found {
	only := foldAll(words)
	all := foldAll(append(aliases, words)...)
	for _, tier := range []struct {
		spoken map[string]bool
		names  func(Entry) []string
	}{
		{all, func(e Entry) []string { return e.Names }},
		{only, func(e Entry) []string { return e.Generic }},
		{all, func(e Entry) []string { return e.Programs }},
		{only, func(e Entry) []string { return e.Keywords }},
	} {
		var out []App
		for _, e := range entries {
			if slices.ContainsFunc(tier.names(e), func(name string) bool { return isSaid(name, tier.spoken) }) {
				out = append(out, e.App)
			}
		}
		if len(out) > 0 {
			return Found{Exact: out[:min(len(out), maxExact)]}
		}
	}
	return Found{Near: findNear(entries, words)}
}

func foldAll(words ...string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		if w = Fold(w); w != "" {
			out[w] = true
		}
	}
	return out
}

func isSaid(name string, spoken map[string]bool) bool {
	return slices.ContainsFunc(spellings(name), func(form string) bool { return spoken[form] })
}

// findNear returns the apps whose names have the words in them, or differ from them by few letters. Names
// with a word of mixed scripts, which looks like another one, are not offered.
func findNear(entries []Entry, words string) []App {
	type candidate struct {
		App
		distance int
	}
	var found []candidate
	for _, e := range entries {
		best := -1
		for _, name := range e.Names {
			if d := distance(words, name); d >= 0 && (best < 0 || d < best) {
				best = d
			}
		}
		if best >= 0 && !slices.ContainsFunc(strings.Fields(e.Name), script.IsMixed) {
			found = append(found, candidate{e.App, best})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.Name, b.Name))
	})
	var out []App
	for _, c := range found[:min(len(found), maxNear)] {
		out = append(out, c.App)
	}
	return out
}

// distance says how far words are from a name; -1: too far. It is 0 if every word begins a word of
// the name.
func distance(words, name string) int {
	var parts []string
	for _, p := range strings.Fields(name) {
		parts = append(parts, Fold(p))
	}
	inName, letters := true, 0
	for _, w := range strings.Fields(words) {
		w = Fold(w)
		letters += len([]rune(w))
		inName = inName && slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, w) })
	}
	if inName && letters >= shortest {
		return 0
	}
	a, b := []rune(Fold(words)), []rune(Fold(name))
	if len(a) > maxLetters || len(b) > maxLetters {
		return -1
	}
	if d := message.Distance(a, b); len(a) > shortest && d <= min(2, len(a)/4) {
		return d
	}
	return -1
}

// Bounds of what is compared, in letters.
const (
	shortest   = 3  // words that have so few letters are in too many names
	maxLetters = 60 // of a name
)
