package interpret

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadWith reads a text with the answers to its questions, by their ids. Read
// asks one question at a time; with its answer the next reading is OK, asks
// another one, or can't be done. An answer that leads back to its own question
// ends in Unsupported. What answers nothing is ignored.
//
// An answer is a choice's value or, as every question allows it, free text: what
// is missing ("youtube", "Reports"), or what to do instead, as a command. It
// stands in the place of the words that the question is about. Text, language
// and evidence stay those of the words that were said; what an answer alone
// caused has no evidence.
//
// # The ids of questions
//
// An id says what is asked: "query", "target", "unknown" (a site or app that is
// not known), "name", "delete" and "bulk" (what exactly to delete), "type"
// (file or folder), "choice", "referent" (what "it" is), "verb" (what to do
// with a site or app), "typo", "conflict", "form" (a document
// or a picture), "count" and "rows" (how many rows of a page to tell, and which),
// "partial" (words that are unclear).
// The second question of a kind that a text leads to has "_2" after it, and so
// on: the same words and earlier answers give the same ids, always.
func (i *Interpreter) ReadWith(text string, answers map[string]string) Reading {
	r, done := i.begin(text)
	if done {
		return r
	}
	p := i.Parse(text)
	v, language := i.judged(p)
	r.Language = language
	var asked []string // questions, by all that is in them
	kinds := map[string]int{}
	for v.status == Ambiguous { // ends: every round takes another answer
		kind := v.question.kind()
		kinds[kind]++
		id := kind
		if n := kinds[kind]; n > 1 {
			id = fmt.Sprintf("%s_%d", kind, n)
		}
		value := answers[id]
		if strings.TrimSpace(value) == "" || !utf8.ValidString(value) {
			r = i.tell(r, v, p)
			r.Questions[0].ID = id
			return r
		}
		asked = append(asked, about(p, v.question))
		p, v = i.answered(p, v.question, value, asked)
	}
	return i.tell(r, v, p)
}

// kind is what a question asks for.
func (q question) kind() string { return strings.TrimPrefix(q.key, "ask_") }

// about is a question with its place in the words that were said.
func about(p *Text, q question) string {
	start, end := p.place(q.at)
	start, end = p.origin(start, end)
	return fmt.Sprintf("%s %q %v %d %d", q.key, q.arg, q.choices, start, end)
}

// answered reads on with an answer. Of the ways in which it may be meant the
// first that is understood counts, else the first that leads to a new question.
func (i *Interpreter) answered(p *Text, q question, value string, asked []string) (*Text, verdict) {
	best, found := p, verdict{status: Unsupported, reason: "why_answer"}
	for n, next := range i.meanings(p, q, value) {
		if len(next.source) > MaxBytes {
			continue
		}
		v, _ := i.judged(next)
		again := v.status == Ambiguous && slices.Contains(asked, about(next, v.question))
		switch {
		case v.status == OK:
			return next, v
		case again:
		case n == 0 || found.status == Unsupported && v.status == Ambiguous:
			best, found = next, v
		}
	}
	return best, found
}

// meanings are the ways in which an answer may be meant, the likeliest first.
func (i *Interpreter) meanings(p *Text, q question, value string) []*Text {
	words, instead := p.splice(q.at, value, false), p.splice(q.whole, value, false)
	if q.kind() != "query" && q.kind() != "name" && !offered(q, value) && !(q.kind() == "verb" || q.kind() == "partial" && !q.name) && i.commands(value) {
		return []*Text{instead}
	}
	switch q.kind() {
	case "query":
		return []*Text{p.splice(q.at, value, true)}
	case "name":
		if i.creates(value) {
			return []*Text{instead}
		}
		if q.ext == "" {
			return []*Text{words, p.splice(q.at, value, true)}
		}
		if extension(value) == "" {
			value += q.ext
		}
		typed := p.put(q.rest, fileType, entry{kFile, anyLang, ""})
		return []*Text{typed.splice(span{q.rest.lo + 1, q.rest.lo + 1}, value, true)}
	case "delete", "bulk":
		return []*Text{words, p.splice(q.rest, value, false)} // never a name by guess
	case "type":
		if t := typeSaid(p, value); t != "" {
			return []*Text{p.tell(q.at.lo, told{object: t})}
		}
	case "choice":
		if q.site && offered(q, value) {
			return []*Text{p.put(q.at, value, entry{kSite, anyLang, value})}
		}
	case "typo":
		switch value {
		case "yes":
			return []*Text{p.tell(q.at.lo, told{sure: true})}
		case "no":
			return []*Text{p.without(q.whole)}
		}
		return []*Text{instead}
	case "referent":
		if q.inside {
			return []*Text{p.tell(q.at.lo, told{folder: tidy(value)})}
		}
		return []*Text{instead}
	case "partial":
		switch {
		case value != leaveOut:
		case q.optional:
			return []*Text{p.without(q.at)}
		default:
			return nil
		}
	case "conflict":
		if lost, ok := q.clash.lost(value); ok {
			return []*Text{p.tell(lost.first(), told{lost: append(p.told(lost.first()).lost, lost.goal)})}
		}
		return []*Text{instead}
	case "verb":
		return i.doing(p, q, value, instead)
	}
	return []*Text{words, instead}
}

// commands reports whether a text is a command by itself.
func (i *Interpreter) commands(text string) bool { return i.Read(text).Status == OK }
