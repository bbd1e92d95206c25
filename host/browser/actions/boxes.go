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

// A page may split one value over a row of fields, such as one for each digit of a
// code. It moves the focus to the next field when one is full, so a value can be
// typed into the first field as if there were one.

// moveWait is how long a page has to put the focus on the next field.
const moveWait = 300 * time.Millisecond

// typeValue types a value into a field key by key, and goes on where the page puts the
// focus, as long as that is a box of the same row with room in it.
func typeValue(ctx context.Context, e *document.Element, value string) error {
	was := -1
	for _, r := range value {
		at, err := awaitFocus(ctx, e, was)
		switch {
		case was >= 0 && errors.Is(err, document.ErrReplaced):
			return nil // the page had enough and went on
		case err != nil:
			return err
		case at < 0:
			return nil // what it holds now is for take to say
		case at > 0 && lettersOf(string(r)) == "":
			continue // what stands between the parts is the page's to draw
		}
		if err := e.Frame.Doc.Key(ctx, keyOf(r), 0); err != nil {
			return err
		}
		was = at
	}
	return nil
}

// keyOf is the key that types a character.
func keyOf(r rune) document.Key {
	if k, ok := document.Keys[string(r)]; ok {
		return k
	}
	return document.Key{Name: string(r), Text: string(r)}
}

// awaitFocus waits until a key would go into a box with room, and answers with which
// that is; -1: into none.
func awaitFocus(ctx context.Context, e *document.Element, was int) (int, error) {
	within, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var is struct {
			At   int
			Room bool
		}
		if err := e.Frame.Run(ctx, e.Object, &is, "onward", was); err != nil {
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

// splits reports whether a field alone has no room for a value that its row of
// boxes may have. A value with a line break is never split: the break would send the form.
func (c control) splits(value string) bool {
	return c.Boxes > 1 && c.MaxLength > 0 && utf8.RuneCountInString(value) > c.MaxLength && !strings.ContainsFunc(value, unicode.IsControl)
}

// readBoxes is the value as the boxes from this one on hold it together, and how many
// of them; 0: they don't.
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
