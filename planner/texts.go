package planner

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed texts.toml
var textsFile []byte

// texts are the texts of plans in one language, by code.
type texts struct {
	language string
	byCode   map[string]string
}

// languages reads the embedded file at the first plan.
var languages = sync.OnceValue(func() map[string]*texts {
	var groups map[string]map[string]map[string]string // "reason" → "blocked" → language → text
	if err := toml.Unmarshal(textsFile, &groups); err != nil {
		panic("planner: embedded texts: " + err.Error()) // the package's tests prove that it can't be
	}
	out := map[string]*texts{}
	for group, entries := range groups {
		for name, entry := range entries {
			for language, text := range entry {
				if out[language] == nil {
					out[language] = &texts{language: language, byCode: map[string]string{}}
				}
				out[language].byCode[group+"."+name] = text
			}
		}
	}
	return out
})

// defaultLanguage has a text for every code.
const defaultLanguage = "en"

// textsIn returns the texts in a language ("ru", "ru-RU"); in English if the
// language is unknown.
func textsIn(language string) *texts {
	base, _, _ := strings.Cut(language, "-")
	if t, ok := languages()[base]; ok {
		return t
	}
	return languages()[defaultLanguage]
}

// text fills the parameters of a code into its text. A text that the language
// lacks is in English.
func (t *texts) text(code string, params ...any) string {
	text, ok := t.byCode[code]
	if !ok {
		text = languages()[defaultLanguage].byCode[code]
	}
	if len(params) == 0 {
		return text
	}
	return fmt.Sprintf(text, params...)
}

// has reports whether there is a text for a code.
func (t *texts) has(code string) bool {
	_, ok := languages()[defaultLanguage].byCode[code]
	return ok
}

// countActions is "3 actions".
func (t *texts) countActions(n int) string { return t.text("actions."+pluralForm(t.language, n), n) }

// pluralForm is the form of a noun after n: one, few or many.
func pluralForm(language string, n int) string {
	switch {
	case language != "ru":
		if n == 1 {
			return "one"
		}
		return "many"
	case n%100 >= 11 && n%100 <= 14:
		return "many"
	case n%10 == 1:
		return "one"
	case n%10 >= 2 && n%10 <= 4:
		return "few"
	}
	return "many"
}

// list joins names as a sentence does.
func (t *texts) list(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " " + t.text("list.and") + " " + names[n-1]
	}
}
