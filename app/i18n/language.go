package i18n

import (
	"embed"
	"io"
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
	tag    string
	tables func() map[string]table
	cldr   func() language.Tag
}

// languages has the languages by tag. A file is read when its first text is needed.
var languages = sync.OnceValue(func() map[string]*Language {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		panic(err) // the pattern is constant
	}
	languages := make(map[string]*Language, len(names))
	for _, name := range names {
		tag := strings.TrimSuffix(name, path.Ext(name))
		languages[tag] = newLanguage(tag, func() document { return openFile(name) })
	}
	return languages
})

// openFile returns the content of an embedded file, which is not copied.
func openFile(name string) document {
	f, err := files.Open(name)
	if err != nil {
		panic(err) // Glob found it
	}
	info, err := f.Stat()
	if err != nil {
		panic(err) // it is in memory
	}
	return io.NewSectionReader(f.(io.ReaderAt), 0, info.Size())
}

func newLanguage(tag string, open func() document) *Language {
	return &Language{
		tag:    tag,
		tables: sync.OnceValue(func() map[string]table { return split(open()) }),
		cldr:   sync.OnceValue(func() language.Tag { return language.Make(tag) }),
	}
}

// Tags lists the languages, sorted: "en", "ru".
func Tags() []string {
	var tags []string
	for tag := range languages() {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	return tags
}

// find returns the language of a tag such as "ru", "ru-RU" or "ru_RU.UTF-8".
func find(tag string) (*Language, bool) {
	if end := strings.IndexAny(tag, "-_.@"); end >= 0 {
		tag = tag[:end]
	}
	l, ok := languages()[strings.ToLower(tag)]
	return l, ok
}

// ForTag returns the language of a tag such as "ru", "ru-RU" or "ru_RU.UTF-8", or
// English if there is no such language.
func ForTag(tag string) *Language { return First(tag) }

// First returns the first language that there is of several tags, or English.
func First(tags ...string) *Language {
	for _, tag := range tags {
		if l, ok := find(tag); ok {
			return l
		}
	}
	return English()
}

// English returns English, the language of errors in JSON and of logs.
func English() *Language { return languages()[base] }

// Tag is the language's tag: "en".
func (l *Language) Tag() string { return l.orEnglish().tag }

// orEnglish is l, or English for the zero Language.
func (l *Language) orEnglish() *Language {
	if l == nil || l.tables == nil {
		return English()
	}
	return l
}

// Name is what the language calls itself.
func (l *Language) Name() string { return l.Say("language.name") }

// lookup returns the text of a code, in English if the language lacks it. A code is
// a table and a key; both may have dots.
func (l *Language) lookup(code string) (text string, ok bool) {
	l = l.orEnglish()
	for dot := strings.IndexByte(code, '.'); dot >= 0; {
		if text, ok = l.text(code[:dot], code[dot+1:]); ok {
			return text, true
		}
		next := strings.IndexByte(code[dot+1:], '.')
		if next < 0 {
			break
		}
		dot += 1 + next
	}
	if l.tag == base {
		return "", false
	}
	return English().lookup(code)
}

// text returns the text of a key in a table. The files are part of the program
// and tests read them all, so an invalid one is a mistake in the source.
func (l *Language) text(name, key string) (string, bool) {
	t, ok := l.tables()[name]
	if !ok {
		return "", false
	}
	texts, err := t()
	if err != nil {
		panic("i18n: " + l.tag + ".toml: " + err.Error())
	}
	text, ok := texts[key]
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

// Error says what an error says. It is empty for nil.
func (l *Language) Error(err error) string { return l.Text(message.FromError(err)) }

// maxText bounds the bytes of the messages within a message. A text may have a
// parameter twice, so a small message of many levels could be said in gigabytes.
const maxText = 1 << 20

// Text says a message. It is empty for the zero Message. Beyond 1 MiB, messages
// within it are "…".
func (l *Language) Text(m message.Message) string {
	if text, ok := m.Text(); ok || m.IsZero() {
		return text
	}
	p := printer{l.orEnglish(), maxText}
	return p.text(m)
}
