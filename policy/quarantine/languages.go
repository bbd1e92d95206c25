package quarantine

import (
	"strconv"
	"strings"

	"errand/policy/rulefile"
)

// phrase makes rules for every language: a table [[phrase]] of
// rules/languages.toml, which explains its fields.
type phrase struct {
	Technique string
	Weight    float64
	Script    string
	Reach     int
	Rows      [][]string
	End       string
	Pattern   string
	With      []string
}

// language is a file of rules/languages.
type language struct {
	Words map[string]string
}

// languageRules makes the rules for all languages but English.
func languageRules() []*rule {
	var all struct {
		Languages []string
		Words     map[string]string
		Phrase    []phrase
	}
	rulefile.Read(files, "rules/languages.toml", &all)
	foldClasses(all.Words)
	var out []*rule
	for _, code := range all.Languages {
		var l language
		rulefile.Read(files, "rules/languages/"+code+".toml", &l)
		foldClasses(l.Words)
		for class, words := range all.Words {
			l.Words[class] = words
		}
		for _, p := range all.Phrase {
			out = append(out, l.rules(code, p)...)
		}
	}
	return out
}

// rules are those that a phrase makes for the language.
func (l language) rules(code string, p phrase) []*rule {
	if p.Script != "" && (p.Script == "tight") != blankless(l.Words["override"]) {
		return nil
	}
	var patterns []string
	if p.Pattern != "" && l.has("addressee") && l.has("act") {
		patterns = append(patterns, expand(p.Pattern, l.Words))
	}
	for _, classes := range p.Rows {
		if row, ok := l.row(p.Reach, classes); ok {
			patterns = append(patterns, row+p.End)
		}
	}
	if p.With != nil && !ascii(l.Words["act"]) {
		code = "" // such words are no words of another language
	}
	var out []*rule
	for _, pattern := range patterns {
		out = append(out, &rule{Technique: p.Technique, Weight: p.Weight, With: p.With, lang: code, pattern: rulefile.New(pattern)})
	}
	return out
}

func (l language) has(class string) bool { return l.Words[class] != "" }

// row joins classes of words within one sentence, with at most reach characters
// between two. Words have edges, except in scripts without blanks; RE2's \b
// knows ASCII letters only. It reports false if the language lacks a class.
func (l language) row(reach int, classes []string) (string, bool) {
	var words []string
	for _, c := range classes {
		var either []string
		for class := range strings.SplitSeq(c, "|") {
			if !l.has(class) {
				return "", false
			}
			either = append(either, l.Words[class])
		}
		words = append(words, `(?:`+strings.Join(either, "|")+`)`)
	}
	n := strconv.Itoa(reach)
	between, end := `[^.!?。！？\n"]{0,`+n+`}?`, ""
	if !blankless(words[0]) {
		between = `[^\pL\pN.!?\n"_]+(?:[^.!?\n"]{0,` + n + `}?[^\pL\pN"_])?`
		end = `(?:$|[^\pL\pN_])`
	}
	return strings.Join(words, between) + end, true
}

// foldClasses folds the letters of patterns as a text is folded, so that they
// can be written in good spelling.
func foldClasses(classes map[string]string) {
	hide := strings.NewReplacer(`\pL`, "\x01", `\pN`, "\x02")
	show := strings.NewReplacer("\x01", `\pL`, "\x02", `\pN`)
	for name, words := range classes {
		folded, _ := fold(hide.Replace(rulefile.Join(words)))
		classes[name] = show.Replace(folded)
	}
}

// blankless reports whether a class has words of a script without blanks.
func blankless(class string) bool { return strings.ContainsFunc(class, blanklessRune) }

// blanklessRune reports letters of Thai, Chinese, Japanese and (decomposed)
// Korean, whose words begin anywhere.
func blanklessRune(r rune) bool {
	return r >= 0x0E00 && r < 0x0E80 || r >= 0x1100 && r < 0x1200 || r >= 0x3040
}
