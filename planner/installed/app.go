// Package installed finds the applications of this machine that words mean. The catalogue has the
// names that every machine knows; these are the names of what is installed on one.
package installed

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"errand/planner/catalogue"
)

// App is an installed application.
type App struct {
	ID   string `json:"id"`   // desktop file id: "org.gnome.Calculator.desktop"
	Name string `json:"name"` // in the language of the words
	File string `json:"file"` // absolute path of what describes it
	// Shell is its command line if it starts a command shell; else it is empty.
	Shell string `json:"shell,omitempty"`
}

// Entry is an application with everything by which words may mean it.
type Entry struct {
	App
	Names    []string // in every language that counts
	Generic  []string // what kind of application it is: "Web Browser"
	Programs []string // names of its program
	Keywords []string
}

// suffix ends every id, and no id of the catalogue.
const suffix = ".desktop"

// IsID reports whether the id of an app is that of an installed one.
func IsID(id string) bool { return strings.HasSuffix(id, suffix) }

// Lookup is a question to a [Finder].
type Lookup struct {
	Words    string `json:"words,omitempty"`    // of the user
	Instead  string `json:"instead,omitempty"`  // catalogue id of an app, which Words named; nothing is found if its own programs are here
	ID       string `json:"id,omitempty"`       // of an installed app
	Language string `json:"language,omitempty"` // of the words
}

// Found answers a [Lookup].
type Found struct {
	Exact []App `json:"exact,omitempty"` // all that the words may mean
	Near  []App `json:"near,omitempty"`  // those with similar names, if there is no exact one
}

// Finder finds installed apps. It may be called by several goroutines at once.
type Finder func(Lookup) Found

// Answer is a lookup with what was found.
type Answer struct {
	Lookup
	Found
}

// Answers are what a [Finder] was asked and found, each question once. They are not safe for
// concurrent use.
type Answers []Answer

// Record returns a finder that asks find what it was not asked before, and keeps the answers. It
// returns nil if find is nil.
func (a *Answers) Record(find Finder) Finder {
	if find == nil {
		return nil
	}
	return func(l Lookup) Found {
		for _, known := range *a {
			if known.Lookup == l {
				return known.Found
			}
		}
		found := find(l)
		*a = append(*a, Answer{l, found})
		return found
	}
}

// Find answers from what was recorded. It finds nothing else.
func (a Answers) Find(l Lookup) Found { return a.Record(func(Lookup) Found { return Found{} })(l) }

// Fold is the spelling by which names are compared: letters and digits in lower case, "ё" as "е",
// and the signs of "C++" and "F#". Spaces and punctuation don't count.
func Fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(strings.ToValidUTF8(s, "")) {
		switch r = unicode.ToLower(r); {
		case r == 'ё':
			b.WriteRune('е')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '+' || r == '#':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spellings are the folded forms in which a command can say a name: as it is and, in Russian, in
// the accusative: of "Просмотр документов" "просмотр документов", of "Камера" "камеру". Which
// words of a name change is not known, so that the first ones, all, or the last one do.
func spellings(name string) []string {
	out := []string{Fold(name)}
	words := strings.Fields(strings.ReplaceAll(name, "*", " "))
	if len(words) > maxDeclined || !strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return out
	}
	add := func(alias string) {
		if form := Fold(catalogue.Decline(alias, catalogue.Accusative)); !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	for n := range words {
		starred := slices.Clone(words)
		for i := range starred[:n+1] {
			if isCyrillic(starred[i]) {
				starred[i] += "*"
			}
		}
		add(strings.Join(starred, " "))
	}
	add(strings.Join(words, " "))
	return out
}

// maxDeclined is the longest name, in words, that is put into other cases.
const maxDeclined = 5

func isCyrillic(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.Is(unicode.Cyrillic, r) && r != '-' }) < 0
}
