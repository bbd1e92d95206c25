package quarantine

import (
	"strings"
	"sync"

	"errand/policy/rulefile"
)

// contextTerms are the words and marks of data/context.toml.
type contextTerms struct {
	Negations, Subjects, Articles, Obliged, Dutiful, Impersonal, Verbless rulefile.Words
	ReportingEndings                                                      rulefile.Words `toml:"reporting_endings"`

	Machine, Reporting, Obeying, Telling, Address *rulefile.Pattern

	Quotes     [][2]string
	CodeQuotes [][2]string `toml:"code_quotes"`
}

var context = sync.OnceValue(func() *contextTerms {
	var c contextTerms
	rulefile.Read(files, "data/context.toml", &c)
	c.Machine.Source = expand(c.Machine.Source, sharedWords().Words)
	return &c
})

// verbal reports whether the first word of a clause may be a verb: ones in -ing,
// -ed, -ly or -s are told, not ordered.
func verbal(clause string) bool {
	clause = strings.TrimPrefix(strings.TrimPrefix(clause, "do not "), "don't ")
	word, _, _ := strings.Cut(clause, " ")
	for ending := range context().ReportingEndings {
		if strings.HasSuffix(word, ending) && !strings.HasSuffix(word, "ss") {
			return false
		}
	}
	return !context().Verbless[word]
}

var lastWords = rulefile.New(`[\pL\pN']+`)

// ordered reports whether the verb at text[start] can be an order: not
// negated, not told of somebody, not a noun.
func ordered(text string, start int) bool {
	from := max(0, start-80)
	before := text[from:start]
	if i := strings.LastIndexAny(before, ".!?:;\n\"(<>[]{}"); i >= 0 {
		before = before[i+1:]
	}
	w := lastWords.Get().FindAllString(before, -1)
	if len(w) == 0 {
		return true
	}
	last := w[len(w)-1]
	tail := strings.Join(w[max(0, len(w)-5):], " ")
	addressed := strings.Contains(" "+tail+" ", " you ") || strings.Contains(" "+tail+" ", " your ") || strings.Contains(" "+tail+" ", " u ")
	switch {
	case context().Negations[last] || len(w) > 1 && context().Negations[w[len(w)-2]]:
		return false
	case last == "to": // "you need to", "I want you to", but not "do you want to"
		return len(w) > 1 && (w[len(w)-2] == "you" || (addressed || context().Dutiful[w[len(w)-2]] && context().Machine.Get().MatchString(before)) && context().Obliged[w[len(w)-2]] || context().Impersonal[w[len(w)-2]])
	case context().Subjects[last]:
		return addressed || strings.HasSuffix(strings.TrimRight(before, " "), ",")
	case context().Articles[last]:
		return strings.HasSuffix(strings.TrimRight(before, " "), ",")
	}
	return true
}

// frame is how near a quotation, in bytes, words that report it are looked for.
const frame = 160

// mentioned reports whether text[start:end] is quoted by words that report
// it: an article on attacks, a manual of a format. Quotation marks alone
// excuse nothing, nor do such words.
func mentioned(text string, start, end int, pairs [][2]string) bool {
	for _, q := range pairs {
		open, shut, ok := enclosing(text, start, end, q[0], q[1])
		if !ok { // a match may run on behind the quotation
			open, shut, ok = enclosing(text, start, start+1, q[0], q[1])
			ok = ok && shut < end && strings.Count(text[open:shut], " ") >= 3
		}
		if ok && reported(text, open, shut) {
			return true
		}
	}
	line := strings.LastIndexByte(text[:start], '\n') + 1
	if strings.HasPrefix(strings.TrimLeft(text[line:start], " \t"), ">") { // a quotation of Markdown
		shut := end
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			shut = end + i
		}
		return reported(text, line, shut)
	}
	return false
}

// reported reports whether the words around a quotation are about it and do
// not ask to act on it.
func reported(text string, open, shut int) bool {
	around := text[max(0, open-frame):open] + " \n " + text[shut:min(len(text), shut+frame)]
	if strings.ContainsAny(around, ".@:") {
		around = context().Address.Get().ReplaceAllString(around, " ")
	}
	around = strings.ToLower(around)
	return context().Reporting.Get().MatchString(around) && !context().Obeying.Get().MatchString(around)
}

// told reports whether the sentence around text[start:end] tells of an attempt
// before it comes to what was said.
func told(text string, start, end int) bool {
	from := max(0, start-frame)
	if i := strings.LastIndexAny(text[from:start], ".!?\n:"); i >= 0 {
		from += i + 1
	}
	return context().Telling.Get().MatchString(text[from:end])
}

// enclosing finds the quotation around text[start:end]: an opening mark before
// it and a closing one behind, in the same paragraph.
func enclosing(text string, start, end int, open, shut string) (int, int, bool) {
	from := max(0, start-300)
	if i := strings.LastIndex(text[from:start], "\n\n"); i >= 0 {
		from += i
	}
	to := min(len(text), end+300)
	if i := strings.Index(text[end:to], "\n\n"); i >= 0 {
		to = end + i
	}
	before, after := text[from:min(len(text), start+len(open))], text[max(0, end-len(shut)):to]
	i := strings.LastIndex(before, open)
	j := strings.Index(after, shut)
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	i += from
	j += max(0, end-len(shut))
	if open == shut && strings.Count(text[from:i], open)%2 == 1 {
		return 0, 0, false // that mark closes a quotation
	}
	if open == "'" && i > 0 && isLetter(text[i-1]) {
		return 0, 0, false // an apostrophe
	}
	return i, j + len(shut), true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }
