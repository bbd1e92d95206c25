package named

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/refusal"
	"errand/planner/phrase"
)

// Call is a call of a plugin's tool that words ask for.
type Call struct {
	Plugin string         `json:"plugin"`
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"` // numbers of slots are json.Number
}

// builtInVerbs begin commands of the built-in grammar. No phrase reads a text that begins
// with one of them.
var builtInVerbs = slices.Concat(lexicon.Verbs, []lexicon.Kind{lexicon.RunVerb, lexicon.FileAction, lexicon.PageAction, lexicon.Save, lexicon.Download, lexicon.Screenshot})

// nextKinds begin what is done next in a text.
var nextKinds = slices.Concat(builtInVerbs, []lexicon.Kind{lexicon.OtherAction, lexicon.Not, lexicon.Ask})

// unknownReasons are the reasons of readings that a phrase replaces: the built-in grammar has
// no answer to the text, or Errand has no tool for it: a plugin may control the lamp. Every
// other reason is an answer, a hint or a refusal.
var unknownReasons = []string{"reason.out_of_reach", "reason.no_command", refusal.WebQuestion}

// MayRead reports whether a phrase may read a text with this built-in reading: the built-in
// grammar found no command, no part of one, no verb of its own and no answer.
func MayRead(r interpret.Reading, t *parse.Text) bool {
	switch r.Status {
	case interpret.OK:
		return false
	case interpret.Ambiguous:
		if len(r.Questions) != 1 || r.Questions[0].ID != "bare" {
			return false
		}
	default:
		if !slices.Contains(unknownReasons, r.Reason.Code) && !refusal.IsOtherGoal(r.Reason.Code) {
			return false
		}
	}
	lo, _ := t.SkipLead(0, len(t.Tokens))
	_, verb := t.Longest(lo, len(t.Tokens), builtInVerbs...)
	return !verb
}

// IsDistinctive reports whether a phrase has a word that says what it is about, beside
// articles, pronouns, auxiliary verbs and question words.
func IsDistinctive(words *lexicon.Vocabulary, p phrase.Phrase) bool {
	for _, piece := range p.Pieces {
		tokens := lexicon.Tokenize(piece.Words)
		for i, matches := range words.Find(tokens) {
			function := slices.ContainsFunc(matches, func(m lexicon.Match) bool { return m.Kind == lexicon.FunctionWord })
			if !function && tokens[i].Shape != lexicon.MarkShape {
				return true
			}
		}
	}
	return false
}

// FindPhrases returns the calls that phrases read from the whole text, one for each plugin.
// Of a plugin's phrases the one with the most words counts, and the first of those. Nothing
// is found unless [MayRead]. The time is linear in the length of the text.
func FindPhrases(r interpret.Reading, t *parse.Text, phrases []phrase.Phrase) []Call {
	if len(phrases) == 0 || !MayRead(r, t) {
		return nil
	}
	var calls []Call
	most := map[string]int{}
	for _, p := range phrases {
		args, words := matchPhrase(t, p)
		if args == nil || words <= most[p.Plugin] || !IsDistinctive(t.Words, p) {
			continue
		}
		call := Call{Plugin: p.Plugin, Tool: p.Tool, Args: args}
		if i := slices.IndexFunc(calls, func(c Call) bool { return c.Plugin == p.Plugin }); i >= 0 {
			calls[i] = call
		} else {
			calls = append(calls, call)
		}
		most[p.Plugin] = words
	}
	return calls
}

// matchPhrase returns the arguments of a phrase that reads the whole text, and the number of
// its words; nil: it does not. A text that can be split into the slots in two ways is not
// read: quotes decide.
func matchPhrase(t *parse.Text, p phrase.Phrase) (map[string]any, int) {
	lo, _ := t.SkipLead(0, len(t.Tokens))
	first, last := p.Pieces[0], p.Pieces[len(p.Pieces)-1]
	hi := trimTail(t, lo, last, p.Kinds[last.Slot])
	head := foldWords(first.Words)
	if !startsWith(t, lo, hi, head) {
		return nil, 0
	}
	words := len(head)
	var literals [][]string // after the first slot, each before or after a slot
	for _, piece := range p.Pieces[1:] {
		if piece.Slot == "" {
			literals = append(literals, foldWords(piece.Words))
			words += len(literals[len(literals)-1])
		}
	}
	slots := phrase.Slots(p.Pieces)
	spans, ok := splitSlots(t, lo+len(head), hi, literals, len(slots))
	if !ok {
		return nil, 0
	}
	args := map[string]any{}
	for name, v := range p.Args {
		args[name] = v
	}
	for i, at := range spans {
		for at.Lo < at.Hi && isPause(t, at.Lo) {
			at.Lo++
		}
		for at.Lo < at.Hi && isPause(t, at.Hi-1) {
			at.Hi--
		}
		v, ok := slotValue(t, at, p.Kinds[slots[i]])
		if !ok || continues(t, at, head[0]) {
			return nil, 0
		}
		args[slots[i]] = v
	}
	return args, words
}

// trimTail returns the end of the text without the politeness after it, unless the phrase
// itself ends with such words: "shout {text} now".
func trimTail(t *parse.Text, lo int, last phrase.Piece, kind phrase.Kind) int {
	if last.Slot == "" {
		hi, words := len(t.Tokens), foldWords(last.Words)
		for hi > lo && t.Tokens[hi-1].Shape == lexicon.MarkShape {
			hi--
		}
		if at := hi - len(words); at >= lo && startsWith(t, at, hi, words) {
			return hi
		}
	}
	return t.TrimTail(lo, len(t.Tokens), kind != phrase.Text)
}

// splitSlots splits [lo,hi) into slots that literals separate. It fails if the literals can
// be found in two ways.
func splitSlots(t *parse.Text, lo, hi int, literals [][]string, slots int) ([]parse.Span, bool) {
	if slots == 0 {
		return nil, lo == hi
	}
	end := hi
	if len(literals) == slots { // the last piece is words
		tail := literals[slots-1]
		if end -= len(tail); end <= lo || !startsWith(t, end, hi, tail) {
			return nil, false
		}
		literals = literals[:slots-1]
	}
	spans := make([]parse.Span, slots)
	at := lo
	for i, words := range literals { // from the left
		j := at + 1
		for j < end && !startsWith(t, j, end, words) {
			j++
		}
		if j >= end {
			return nil, false
		}
		spans[i] = parse.Span{Lo: at, Hi: j}
		at = j + len(words)
	}
	if at >= end {
		return nil, false
	}
	spans[slots-1] = parse.Span{Lo: at, Hi: end}
	for i := len(literals) - 1; i >= 0; i-- { // and from the right
		j := end - len(literals[i]) - 1
		for j > lo && !startsWith(t, j, end, literals[i]) {
			j--
		}
		if j != spans[i].Hi {
			return nil, false
		}
		end = j
	}
	return spans, true
}

func foldWords(words string) (folds []string) {
	for _, token := range lexicon.Tokenize(words) {
		folds = append(folds, token.Fold)
	}
	return folds
}

func startsWith(t *parse.Text, i, hi int, words []string) bool {
	if i+len(words) > hi {
		return false
	}
	for n, w := range words {
		if t.Tokens[i+n].Shape == lexicon.QuotedShape || t.Fold(i+n) != w {
			return false
		}
	}
	return true
}

func isPause(t *parse.Text, i int) bool {
	return t.Tokens[i].Shape == lexicon.MarkShape && parse.IsPause(t.Fold(i))
}

// continues reports whether a slot holds more than its value: another sentence, or what is
// done next. A quoted value holds anything.
func continues(t *parse.Text, at parse.Span, head string) bool {
	if t.IsQuoted(at.Lo, at.Hi) {
		return false
	}
	for i := at.Lo; i < at.Hi; i++ {
		joint := 0
		if t.Tokens[i].Shape == lexicon.MarkShape {
			if !parse.IsPause(t.Fold(i)) {
				return true
			}
			joint = 1
		} else if _, ok := t.Longest(i, at.Hi, lexicon.Then, lexicon.Cancel, lexicon.Repair); ok {
			return true
		} else if m, ok := t.Longest(i, at.Hi, lexicon.And, lexicon.But, lexicon.Or, lexicon.Instead); ok {
			joint = m.Len
		}
		if joint == 0 {
			continue
		}
		next, _ := t.SkipLead(i+joint, at.Hi)
		if _, ok := t.Longest(next, at.Hi, nextKinds...); ok || next < at.Hi && t.Fold(next) == head {
			return true
		}
	}
	return false
}

var numberPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?$`) })

var switches = map[string]bool{
	"true": true, "yes": true, "on": true, "вкл": true,
	"false": false, "no": false, "off": false, "выкл": false,
}

// slotValue reads the words of a slot as its kind. Words that look like a reference to a
// secret are no value.
func slotValue(t *parse.Text, at parse.Span, kind phrase.Kind) (any, bool) {
	text := t.Cut(at.Lo, at.Hi)
	if text == "" || strings.Contains(text, "{{") {
		return nil, false
	}
	switch kind {
	case phrase.Text:
		return text, true
	case phrase.Path:
		shape := t.Tokens[at.Lo].Shape
		return text, at.Hi == at.Lo+1 && shape != lexicon.LinkShape && shape != lexicon.BannedShape && shape != lexicon.SymbolShape && shape != lexicon.MarkShape
	case phrase.Number:
		return json.Number(text), numberPattern().MatchString(text)
	case phrase.Integer:
		return json.Number(text), numberPattern().MatchString(text) && !strings.Contains(text, ".")
	case phrase.Boolean:
		on, ok := switches[strings.ToLower(text)]
		return on, ok
	}
	return nil, false
}
