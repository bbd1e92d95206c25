package i18n

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"errand/planner/message"
)

//go:embed *.toml
var files embed.FS

// base is the tag of the language that has every text.
const base = "en"

// Language says messages in one language. It is safe for concurrent use. The zero
// Language is English.
type Language struct {
	tag   string
	texts func() map[string]string
}

// all has the languages by tag. A file is read when its first text is needed.
var all = sync.OnceValue(func() map[string]*Language {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		panic(err) // the pattern is constant
	}
	languages := make(map[string]*Language, len(names))
	for _, name := range names {
		tag := strings.TrimSuffix(name, path.Ext(name))
		languages[tag] = &Language{tag: tag, texts: sync.OnceValue(func() map[string]string { return load(name) })}
	}
	return languages
})

// load reads a language file. The files are part of the program and tests read
// them all, so an invalid one is a mistake in the source.
func load(name string) map[string]string {
	b, err := files.ReadFile(name)
	if err == nil {
		var texts map[string]string
		if texts, err = scan(string(b)); err == nil {
			return texts
		}
	}
	panic("i18n: " + name + ": " + err.Error())
}

// Tags lists the languages, sorted: "en", "ru".
func Tags() []string {
	var tags []string
	for tag := range all() {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	return tags
}

// In returns the language of a tag such as "ru", "ru-RU" or "ru_RU.UTF-8", or
// English if there is no such language.
func In(tag string) *Language {
	name, _, _ := strings.Cut(tag, ".")
	name, _, _ = strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	if l, ok := all()[strings.ToLower(name)]; ok {
		return l
	}
	return English()
}

// First returns the first language that there is of several tags, or English.
func First(tags ...string) *Language {
	for _, tag := range tags {
		if l := In(tag); l.tag != base || strings.HasPrefix(strings.ToLower(tag), base) {
			return l
		}
	}
	return English()
}

// English returns English, the language of errors in JSON and of logs.
func English() *Language { return all()[base] }

// Tag is the language's tag: "en".
func (l *Language) Tag() string {
	if l.tag == "" {
		return base
	}
	return l.tag
}

// Name is what the language calls itself.
func (l *Language) Name() string { return l.Say("language.name") }

// CLDR is the language as golang.org/x/text knows it.
func (l *Language) cldr() language.Tag { return language.Make(l.Tag()) }

// lookup returns the text of a code, in English if the language lacks it.
func (l *Language) lookup(code string) (text string, ok bool) {
	if l.texts != nil {
		if text, ok = l.texts()[code]; ok {
			return text, true
		}
	}
	text, ok = English().texts()[code]
	return text, ok
}

// Has reports whether there is a text for a code.
func (l *Language) Has(code string) bool {
	_, ok := l.lookup(code)
	return ok
}

// Say says a code with pairs of a parameter's name and value, as [message.New].
func (l *Language) Say(code string, pairs ...any) string {
	return l.Text(message.New(code, pairs...))
}

// Text says a message. It is empty for the zero Message.
func (l *Language) Text(m message.Message) string {
	if m.IsZero() {
		return ""
	}
	if text, ok := m.Text(); ok {
		return text
	}
	text, ok := l.lookup(m.Code)
	if !ok {
		return m.String()
	}
	var b strings.Builder
	l.fill(&b, text, m.Params)
	return b.String()
}

// Error says what an error says. It is empty for nil.
func (l *Language) Error(err error) string { return l.Text(message.Of(err)) }
