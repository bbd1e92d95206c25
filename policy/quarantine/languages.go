package quarantine

import (
	"maps"
	"strconv"
	"strings"

	"errand/policy/quarantine/view"
	"errand/policy/rulefile"
)

// language is a file of rules/languages.
type language struct {
	Words map[string]string
}

// languageRules makes the rules for all languages but English: those of
// rules/languages.toml, for each language.
func languageRules() []*rule {
	var all ruleFile
	rulefile.Read(files, "rules/languages.toml", &all)
	foldClasses(all.Words)
	var out []*rule
	for _, code := range all.Languages {
		var l language
		rulefile.Read(files, "rules/languages/"+code+".toml", &l)
		foldClasses(l.Words)
		maps.Copy(l.Words, all.Words)
		for _, r := range all.Rule {
			r.lang = code
			if r.With != nil && !view.IsASCII(l.Words["act"]) {
				r.lang = "" // such words are no words of another language
			}
			out = append(out, l.rules(r)...)
		}
	}
	return out
}

// rules are those that r stands for in the language.
func (l language) rules(r rule) []*rule {
	if r.Script != "" && (r.Script == "tight") != isTight(l.Words["override"]) {
		return nil
	}
	var patterns []string
	if r.Pattern != "" && l.Words["act"] != "" {
		patterns = append(patterns, expand(r.Pattern, l.Words))
	}
	for _, classes := range r.Rows {
		if row, ok := l.row(r.Reach, classes); ok {
			patterns = append(patterns, row+r.End)
		}
	}
	var out []*rule
	for _, p := range patterns {
		one := r
		one.pattern = rulefile.New(p)
		out = append(out, &one)
	}
	return out
}

// row joins classes of words within one sentence, with at most reach characters
// between two. Words have edges, except in scripts without blanks; RE2's \b
// knows ASCII letters only. It reports false if the language lacks a class.
func (l language) row(reach int, classes []string) (string, bool) {
	var words []string
	for _, c := range classes {
		var either []string
		for class := range strings.SplitSeq(c, "|") {
			if l.Words[class] == "" {
				return "", false
			}
			either = append(either, l.Words[class])
		}
		words = append(words, `(?:`+strings.Join(either, "|")+`)`)
	}
	n := strconv.Itoa(reach)
	between, end := `[^.!?。！？\n"]{0,`+n+`}?`, ""
	if !isTight(words[0]) {
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
		folded, _ := view.Fold(hide.Replace(rulefile.Join(words)))
		classes[name] = show.Replace(folded)
	}
}

// isTight reports whether a class has words of a script without blanks.
func isTight(class string) bool { return strings.ContainsFunc(class, isTightRune) }

// isTightRune reports letters of Thai, Chinese, Japanese and (decomposed)
// Korean, whose words begin anywhere.
func isTightRune(r rune) bool {
	return r >= 0x0E00 && r < 0x0E80 || r >= 0x1100 && r < 0x1200 || r >= 0x3040
}
