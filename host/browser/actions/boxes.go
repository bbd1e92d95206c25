package actions

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"errand/host/browser/document"
)

// A page may split one value over a row of fields, such as one for each digit of a code.
// When a field is full, the page moves the focus to the next one. A value can therefore be
// typed into the first field as if it were the only one.

// moveWait is how long a page may take to move the focus to the next field.
const moveWait = 300 * time.Millisecond

// typeValue types a value into a field key by key. It continues in the field that the page
// focuses, as long as that is a field with room in the same row.
func typeValue(ctx context.Context, e *document.Element, value string) error {
	was := -1
	for _, r := range value {
		at, err := typeKey(ctx, e, was, r)
		switch {
		case was >= 0 && errors.Is(err, document.ErrReplaced):
			return nil // the page had enough input and navigated
		case err != nil:
			return err
		case at < 0:
			return nil // awaitValue checks the result
		}
		was = at
	}
	return nil
}

// typeKey waits until the focus is on a field of the row with room, and types a character
// there in the same step. It returns the index of that field, or -1. was is the field that
// took the character before.
func typeKey(ctx context.Context, e *document.Element, was int, r rune) (int, error) {
	within, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var is struct {
			At   int
			Room bool `json:"room"`
		}
		if err := e.Frame.Run(ctx, e.Object, &is, "key", was, document.KeyOf(r).Event(), lettersOf(string(r)) == ""); err != nil {
			return -1, err
		}
		if is.Room {
			return is.At, nil
		}
		if document.Pause(within, attempt) != nil {
			return -1, ctx.Err()
		}
	}
}

// splits reports whether one field is too small for a value that its row may take. It
// never splits a value with a line break, which would submit the form.
func (c control) splits(value string) bool {
	return c.Boxes > 1 && c.MaxLength > 0 && utf8.RuneCountInString(value) > c.MaxLength && !strings.ContainsFunc(value, unicode.IsControl)
}

// readBoxes returns the value that the fields hold together, from this one on, and their
// number. The number is 0 if the value is not split.
func readBoxes(ctx context.Context, e *document.Element, value string) (now string, fields int, err error) {
	var is struct{ Values []string }
	if err := e.Frame.Run(ctx, e.Object, &is, "boxed"); err != nil {
		return "", 0, err
	}
	want := lettersOf(value)
	for i, part := range is.Values {
		if now += part; part == "" || !strings.HasPrefix(want, lettersOf(now)) {
			break
		}
		if lettersOf(now) == want && i > 0 {
			return now, i + 1, nil
		}
	}
	return "", 0, nil
}
