// Package phrase parses the phrases that a plugin answers to, such as "shout {text}": words,
// and slots in braces. It does not match them, see package named.
package phrase

import (
	"slices"
	"strings"
	"unicode"

	"errand/planner/message"
	"errand/planner/script"
)

// Limits of a phrase.
const (
	MaxBytes = 200
	MaxSlots = 5
)

// Kind is the type of a slot's value.
type Kind string

// Kinds of slots. A path is one word or quoted.
const (
	Text    Kind = "string"
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
	Path    Kind = "path"
)

// Piece is a slot, or the words between slots.
type Piece struct {
	Slot  string // the name of an argument; "": Words
	Words string // separated by one space
}

// Phrase is a phrase of a plugin's tool.
type Phrase struct {
	Plugin, Tool string
	Text         string
	Pieces       []Piece
	Kinds        map[string]Kind // of the slots
	Args         map[string]any  // constants, beside the slots
	Examples     []string
}

// Slots are the names of the slots of pieces, in order.
func Slots(pieces []Piece) (names []string) {
	for _, p := range pieces {
		if p.Slot != "" {
			names = append(names, p.Slot)
		}
	}
	return names
}

// IsSafe reports whether a text has no control character and none that is invisible or
// changes the direction of others.
func IsSafe(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar
	})
}

// Parse splits a phrase into its pieces. A phrase begins with a word, and words separate its
// slots. Its time is linear in the length of the text.
func Parse(text string) ([]Piece, error) {
	switch {
	case text == "":
		return nil, message.Error("phrase.empty")
	case len(text) > MaxBytes:
		return nil, message.Error("phrase.too_long", "size", len(text), "limit", MaxBytes)
	case !IsSafe(text):
		return nil, message.Error("phrase.bad_character")
	}
	var pieces []Piece
	for _, field := range strings.Fields(text) {
		last := len(pieces) - 1
		if !strings.ContainsAny(field, "{}") {
			if err := checkWord(field); err != nil {
				return nil, err
			}
			if last >= 0 && pieces[last].Slot == "" {
				pieces[last].Words += " " + field
			} else {
				pieces = append(pieces, Piece{Words: field})
			}
			continue
		}
		name, open := strings.CutPrefix(field, "{")
		name, closed := strings.CutSuffix(name, "}")
		switch {
		case !open || !closed || !isName(name):
			return nil, message.Error("phrase.bad_slot", "slot", field)
		case last < 0:
			return nil, message.Error("phrase.begins_with_slot")
		case pieces[last].Slot != "":
			return nil, message.Error("phrase.adjacent_slots", "first", pieces[last].Slot, "second", name)
		case slices.Contains(Slots(pieces), name):
			return nil, message.Error("phrase.slot_twice", "slot", name)
		}
		pieces = append(pieces, Piece{Slot: name})
	}
	switch slots := len(Slots(pieces)); {
	case len(pieces) == 0:
		return nil, message.Error("phrase.empty")
	case slots > MaxSlots:
		return nil, message.Error("phrase.too_many_slots", "count", slots, "limit", MaxSlots)
	}
	return pieces, nil
}

// isName reports whether a slot can name an argument.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
}

// checkWord refuses a word that can't be said as written: with other characters than
// letters, digits, and a hyphen or an apostrophe between them, or with letters of two scripts.
func checkWord(word string) error {
	inner := true
	for i, r := range word {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && i > 0:
			inner = true
		case strings.ContainsRune("-'’", r) && i > 0 && inner:
			inner = false
		default:
			return message.Error("phrase.bad_word", "word", word)
		}
	}
	if !inner {
		return message.Error("phrase.bad_word", "word", word)
	}
	if script.IsMixed(word) {
		return message.Error("phrase.mixed_scripts", "word", word)
	}
	return nil
}
