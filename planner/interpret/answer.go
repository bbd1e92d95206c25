package interpret

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/planner/installed"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// AnswerRepeats is the reason why a text is unsupported whose answer leads back to its own
// question.
const AnswerRepeats = "reason.answer_repeats"

// ReadWith reads a text with answers to its questions, by their ids. Read asks one
// question at a time. With the answer the next reading is OK, asks another question,
// or is Unsupported. An answer that leads back to its own question ends in
// Unsupported. Answers to other questions are ignored.
//
// An answer is the value of a choice or, for every question, free text: the missing
// part ("youtube", "Reports"), or another command. It replaces the words that the
// question is about. Text, language and evidence stay those of the original words; a
// slot that only an answer caused has no evidence.
//
// # The ids of questions
//
// An id names what is asked: "query", "target", "unknown" (a site or app that is not
// known), "bare" (what to do with words that are no command), "local" (where to look for a thing of the user), "name", "delete" and "bulk" (what exactly to delete), "type" (file or
// folder), "choice", "place" (where it is), "destination" (where it goes), "rename" (what it is renamed to), "folder" (where many files are), "referent" (what "it" is), "verb" (what to do with a site or
// app), "typo", "web" (whether to search the web),
// "site" (what to do with a site that can't be searched), "media" and "put_on" (on which site to play something), "download" (which file), "conflict", "form" (a document or a picture), "count" and "rows"
// (how many rows of a page, and which), "partial" (unclear words). A second question
// of a kind ends in "_2", and so on. The same words and earlier answers always give
// the same ids.
func (i *Interpreter) ReadWith(text string, answers map[string]string) Reading {
	return i.ReadNamed(text, nil, answers)
}

// ReadNamed is [Interpreter.ReadWith] for a text in which some words are names of files and
// folders that are there. The names are in the order of the text.
func (i *Interpreter) ReadNamed(text string, names []filename.Name, answers map[string]string) Reading {
	r, done := i.newReading(text)
	if done {
		return r
	}
	p := filename.Put(i.Parse(text), names)
	v, language := i.evaluate(p)
	r.Language = language
	p, v = i.reword(p, v)
	var askedKeys []string // questions, by all that is in them
	kinds := map[string]int{}
	for v.status == Ambiguous { // terminates: every round uses another answer
		kind := v.question.Kind()
		kinds[kind]++
		id := kind
		if n := kinds[kind]; n > 1 {
			id = fmt.Sprintf("%s_%d", kind, n)
		}
		value := answers[id]
		if strings.TrimSpace(value) == "" || !utf8.ValidString(value) {
			r = i.fillReading(r, v, p)
			r.Questions[0].ID = id
			return r
		}
		askedKeys = append(askedKeys, questionKey(p, v.question))
		p, v = i.readAnswer(p, v.question, value, askedKeys)
	}
	return i.fillReading(r, v, p)
}

// questionKey identifies a question and its place in the original words.
func questionKey(p *parse.Text, q parse.Question) string {
	start, end := p.Bounds(q.At)
	start, end = p.Origin(start, end)
	return fmt.Sprintf("%s %q %v %d %d", q.Code, q.Words, q.Choices, start, end)
}

// readAnswer continues a reading with an answer. It tries the interpretations of the
// answer in order and takes the first that is understood, else the first that leads
// to a new question.
func (i *Interpreter) readAnswer(p *parse.Text, q parse.Question, value string, askedKeys []string) (*parse.Text, verdict) {
	best, found := p, verdict{status: Unsupported, reason: AnswerRepeats}
	for n, next := range i.interpretAnswer(p, q, value) {
		if len(next.Source) > MaxBytes {
			continue
		}
		v, _ := i.evaluate(next)
		again := v.status == Ambiguous && (v.question.Kind() == "bare" || slices.Contains(askedKeys, questionKey(next, v.question)))
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

// interpretAnswer lists the texts that an answer may lead to, the most likely first.
func (i *Interpreter) interpretAnswer(p *parse.Text, q parse.Question, value string) []*parse.Text {
	words, instead := p.Splice(q.At, value, false), p.Splice(q.Command, value, false)
	if q.Kind() == "download" && !parse.IsChoice(q, value) && strings.Contains(value, "://") { // the file's address
		return []*parse.Text{p.Splice(parse.Span{Lo: q.At.Lo, Hi: q.Command.Hi}, value, false)}
	}
	if q.Kind() != "query" && q.Kind() != "name" && !parse.IsChoice(q, value) && !(q.Kind() == "verb" || q.Kind() == "partial" && !q.Name) && i.isCommand(value) {
		return []*parse.Text{instead}
	}
	if parse.IsChoice(q, value) && installed.IsID(value) {
		return []*parse.Text{p.Put(q.At, value, lexicon.Entry{Kind: lexicon.App, Lang: lexicon.AnyLang, Value: value})}
	}
	switch q.Kind() {
	case "query":
		return []*parse.Text{p.Splice(q.At, value, true)}
	case "name":
		if i.isCreation(value) {
			return []*parse.Text{instead}
		}
		if q.Ext == "" {
			return []*parse.Text{words, p.Splice(q.At, value, true)}
		}
		if lexicon.FileExtension(value) == "" {
			value += q.Ext
		}
		typed := p.Put(q.Description, parse.FileType, lexicon.Entry{Kind: lexicon.File, Lang: lexicon.AnyLang, Value: ""})
		return []*parse.Text{typed.Splice(parse.Span{Lo: q.Description.Lo + 1, Hi: q.Description.Lo + 1}, value, true)}
	case "download":
		if parse.IsChoice(q, value) {
			return []*parse.Text{instead}
		}
		return []*parse.Text{p.Splice(q.At, value, true)}
	case "delete", "bulk":
		return []*parse.Text{words, p.Splice(q.Description, value, false)} // never a name by guess
	case "type":
		if t := readType(p, value); t != "" {
			return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Object: t})}
		}
		return nil // a name in place of the one that was said
	case "choice", "zip":
		if object, is := q.Objects[value]; is {
			return []*parse.Text{parse.PutPath(p, q.At, value, object)}
		}
		if q.Site && parse.IsChoice(q, value) {
			return []*parse.Text{p.Put(q.At, value, lexicon.Entry{Kind: lexicon.Site, Lang: lexicon.AnyLang, Value: value})}
		}
	case "unknown", "bare", "local", "empty":
		if parse.IsChoice(q, value) && i.isCommand(value) {
			return []*parse.Text{instead}
		}
	case "media", "put_on":
		if site := i.readMediaSite(q, value); site != "" {
			return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Site: site})}
		}
	case "site":
		switch value {
		case web.SearchWords:
			return []*parse.Text{p.WithHint(q.Description.Lo, lexicon.Hint{Certain: true})}
		case web.OpenHost:
			host := p.Splice(q.Command, q.Words, false)
			return []*parse.Text{host.Put(parse.Span{Lo: q.Command.Lo, Hi: q.Command.Lo}, value, lexicon.Entry{Kind: lexicon.Open, Lang: lexicon.AnyLang, Value: ""})}
		}
	case "trash":
		if value == "yes" {
			return []*parse.Text{p.Remove(q.At)}
		}
		return []*parse.Text{p.Remove(q.Command)}
	case "typo", "web", "literal":
		switch value {
		case "yes":
			return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Certain: true})}
		case "no":
			return []*parse.Text{p.Remove(q.Command)}
		}
		return []*parse.Text{instead}
	case "referent":
		if q.Inside {
			return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Folder: lexicon.Tidy(value)})}
		}
		return []*parse.Text{instead}
	case "rename":
		if strings.ContainsAny(value, `/\`) {
			return nil // a name, not a place
		}
		return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Name: lexicon.WithoutQuotes(lexicon.Tidy(value))})}
	case "place", "destination", "folder":
		if value == item.PartOfName && q.Description.Lo < q.Description.Hi {
			return []*parse.Text{p.Splice(q.Description, p.Cut(q.Description.Lo, q.Description.Hi), true)}
		}
		if folder := item.AnsweredPlace(p.Parse(value)); folder != "" {
			return []*parse.Text{p.WithHint(q.At.Lo, lexicon.Hint{Folder: folder})}
		}
		return nil
	case "partial":
		switch {
		case value == parse.Keep && q.Description.Lo < q.Description.Hi:
			return []*parse.Text{p.WithHint(q.Description.Lo, lexicon.Hint{Certain: true})}
		case value != parse.LeaveOut:
		case q.Optional:
			return []*parse.Text{p.Remove(q.At)}
		default:
			return nil
		}
	case "conflict":
		if lost, ok := q.Conflict.Loser(value); ok {
			return []*parse.Text{p.WithHint(lost.First(), lexicon.Hint{Dropped: append(p.Hint(lost.First()).Dropped, lost.Goal)})}
		}
		return []*parse.Text{instead}
	case "verb":
		return i.answerVerb(p, q, value, instead)
	}
	return []*parse.Text{words, instead}
}

// isCommand reports whether a text is a command by itself. The name of a site or a folder alone is rather
// an answer.
func (i *Interpreter) isCommand(text string) bool {
	p := newParser(i.Parse(text))
	for _, c := range []parse.Clause{p.ReadBareAddress(0, len(p.Tokens)), p.Files.OpenBare(0, len(p.Tokens))} {
		if c.Outcome == parse.Understood {
			return false
		}
	}
	return i.Read(text).Status == OK
}
