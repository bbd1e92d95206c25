package quarantine

import (
	"strings"
	"sync"

	"errand/policy/quarantine/view"
	"errand/policy/rulefile"
)

// contextTerms are the words and patterns of data/context.toml.
type contextTerms struct {
	Negations, Subjects, Articles, Obliged, Dutiful, Impersonal, Verbless, Reported rulefile.Words
	ReportingEnding                                                                 *rulefile.Pattern `toml:"reporting_ending"`
	Reporting, Obeying, Telling, Address                                            *rulefile.Pattern
	Quotes                                                                          [][2]string
	CodeQuotes                                                                      [][2]string `toml:"code_quotes"`
}

var context = rulefile.Load[contextTerms](files, "data/context.toml")

// machineName matches words for machines, such as "model".
var machineName = sync.OnceValue(func() *rulefile.Pattern {
	return rulefile.New(expand(`\b(?:{{machine_wide}}|models?)\b`, sharedWords().Words))
})

// counts reports whether a match counts in its context: it is an order if its rule asks
// for one, it isn't merely reported or quoted, and it doesn't close an element that the
// text opened.
func (v reading) counts(text string, e evidence) bool {
	quotes := context().Quotes
	if e.Raw {
		quotes = context().CodeQuotes
	}
	switch {
	// "Ignore" is a word of other languages as well. English text that reports about
	// another person is not an order in these languages.
	case e.lang != "" && strings.HasPrefix(text[e.start:], "ignore ") && !isImperative(text, e.start),
		v.Technique == "" && context().Reported[e.Technique] && isReported(text, e.start, e.end),
		e.Unopened && v.isOpenBefore(text, e.start),
		e.Order && !isImperative(text, e.start),
		e.Verb && !isVerb(text[e.start:e.end]):
		return false
	}
	return !isMentioned(text, e.start, e.end, quotes)
}

// isVerb reports whether the first word of a clause may be a verb in the
// imperative.
func isVerb(clause string) bool {
	clause = strings.TrimPrefix(strings.TrimPrefix(clause, "do not "), "don't ")
	word, _, _ := strings.Cut(clause, " ")
	reports := !strings.HasSuffix(word, "ss") && context().ReportingEnding.Match(word)
	return !reports && !context().Verbless[word]
}

var contextWords = rulefile.New(`[\pL\pN']+`)

// isImperative reports whether the verb at text[start] can be an order. The words
// before it in its clause decide: it isn't negated, has no subject and isn't a noun.
func isImperative(text string, start int) bool {
	before := text[max(0, start-80):start]
	if i := strings.LastIndexAny(before, ".!?:;\n\"(<>[]{}"); i >= 0 {
		before = before[i+1:]
	}
	w := contextWords.Get().FindAllString(before, -1)
	if len(w) == 0 {
		return true
	}
	c := context()
	last, second := w[len(w)-1], ""
	if len(w) > 1 {
		second = w[len(w)-2]
	}
	tail := " " + strings.Join(w[max(0, len(w)-5):], " ") + " "
	addressed := strings.Contains(tail, " you ") || strings.Contains(tail, " your ") || strings.Contains(tail, " u ")
	afterComma := strings.HasSuffix(strings.TrimRight(before, " "), ",")
	switch {
	case c.Negations[last] || c.Negations[second]:
		return false
	case last == "to": // "you need to", "I want you to", but not "do you want to"
		return second == "you" || c.Impersonal[second] ||
			c.Obliged[second] && (addressed || c.Dutiful[second] && machineName().Match(before))
	case c.Subjects[last]:
		return addressed || afterComma
	case c.Articles[last]:
		return afterComma
	}
	return true
}

// frame is how many bytes around a quotation are searched for words that report it.
const frame = 160

// isReported reports whether the sentence up to text[end] describes an attempt.
func isReported(text string, start, end int) bool {
	from := max(0, start-frame)
	if i := strings.LastIndexAny(text[from:start], ".!?\n:"); i >= 0 {
		from += i + 1
	}
	return context().Telling.Match(text[from:end])
}

// isMentioned reports whether text[start:end] is a quotation in a text about it, such
// as an article on attacks or a manual of a format. Neither quotation marks nor
// reporting words alone are enough.
func isMentioned(text string, start, end int, marks [][2]string) bool {
	for _, m := range marks {
		open, closing, ok := findQuotation(text, start, end, m[0], m[1])
		if !ok { // a match may extend beyond the quotation
			open, closing, ok = findQuotation(text, start, start+1, m[0], m[1])
			ok = ok && closing < end && strings.Count(text[open:closing], " ") >= 3
		}
		if ok && isReporting(text, open, closing) {
			return true
		}
	}
	line := strings.LastIndexByte(text[:start], '\n') + 1
	if !strings.HasPrefix(strings.TrimLeft(text[line:start], " \t"), ">") { // a quotation in Markdown
		return false
	}
	closing := end
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		closing = end + i
	}
	return isReporting(text, line, closing)
}

// isReporting reports whether the words around a quotation are about it and don't ask
// the reader to act on it.
func isReporting(text string, open, closing int) bool {
	around := text[max(0, open-frame):open] + " \n " + text[closing:min(len(text), closing+frame)]
	around = strings.ToLower(context().Address.Get().ReplaceAllString(around, " "))
	return context().Reporting.Match(around) && !context().Obeying.Match(around)
}

// findQuotation finds the quotation around text[start:end]: an opening mark before it
// and a closing one after it, in the same paragraph.
func findQuotation(text string, start, end int, open, closing string) (int, int, bool) {
	const far = 300
	from, to := max(0, start-far), min(len(text), end+far)
	if i := strings.LastIndex(text[from:start], "\n\n"); i >= 0 {
		from += i
	}
	if i := strings.Index(text[end:to], "\n\n"); i >= 0 {
		to = end + i
	}
	behind := max(0, end-len(closing))
	i := strings.LastIndex(text[from:min(len(text), start+len(open))], open)
	j := strings.Index(text[behind:to], closing)
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	i, j = i+from, j+behind+len(closing)
	closes := open == closing && strings.Count(text[from:i], open)%2 == 1
	apostrophe := open == "'" && i > 0 && view.IsLetter(text[i-1])
	return i, j, !closes && !apostrophe
}

// isOpenBefore reports whether the text opens the element of the closing tag at
// text[start] before it.
func (v reading) isOpenBefore(text string, start int) bool {
	name, _, _ := strings.Cut(text[start+len("</"):], ">")
	name = strings.ToLower(name)
	if at, ok := v.tags[name]; ok && at < v.base+start {
		return true
	}
	return strings.Contains(strings.ToLower(text[:start]), "<"+name)
}
