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

// languageRules makes the rules of rules/languages.toml for each language except
// English.
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
				r.lang = "" // these words are specific to the language
			}
			out = append(out, l.rules(r)...)
		}
	}
	return out
}

// rules returns the rules that r stands for in the language.
func (l language) rules(r rule) []*rule {
	if r.Script != "" && (r.Script == "tight") != isTight(l.Words["override"]) {
		return nil
	}
	var out []*rule
	add := func(pattern string, parts ...string) {
		one := r
		one.source, one.parts = pattern, parts
		out = append(out, &one)
	}
	if r.Pattern != "" && l.Words["act"] != "" {
		pattern := expand(r.Pattern, l.Words)
		add(pattern, pattern)
	}
	for _, classes := range r.Rows {
		if parts := l.parts(classes); parts != nil {
			add(row(r.Reach, parts)+r.End, parts...)
		}
	}
	return out
}

// parts returns the words of classes, nil if the language lacks one.
func (l language) parts(classes []string) []string {
	var out []string
	for _, c := range classes {
		var either []string
		for class := range strings.SplitSeq(c, "|") {
			if l.Words[class] == "" {
				return nil
			}
			either = append(either, l.Words[class])
		}
		out = append(out, `(?:`+strings.Join(either, "|")+`)`)
	}
	return out
}

// row joins words of one sentence, with at most reach characters between two. Words
// have edges, except in scripts without blanks. RE2's \b knows only ASCII letters.
func row(reach int, words []string) string {
	n := strconv.Itoa(reach)
	if isTight(words[0]) {
		return strings.Join(words, `[^.!?。！？\n"]{0,`+n+`}?`)
	}
	between := `[^\pL\pN.!?\n"_]+(?:[^.!?\n"]{0,` + n + `}?[^\pL\pN"_])?`
	return strings.Join(words, between) + `(?:$|[^\pL\pN_])`
}

// foldClasses folds the letters of patterns in the same way as a text, so that the rule
// files can have normal spelling.
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
