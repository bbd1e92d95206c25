package browser

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A page may split one value over a row of fields, as over one for each digit of a
// code: it puts the focus on the next field when one has its part. Whoever types
// does not notice, and neither does who fills the first of them.

// moveWait is how long a page has to put the focus on the next field.
const moveWait = 300 * time.Millisecond

// typeOn types a value into a field key by key, and goes on where the page puts the
// focus, as long as that is a box of the same row with room in it.
func (e *element) typeOn(ctx context.Context, value string) error {
	was := -1
	for _, r := range value {
		at, err := e.onward(ctx, was)
		switch {
		case was >= 0 && errors.Is(err, errReplaced):
			return nil // the page had enough and went on
		case err != nil:
			return err
		case at < 0:
			return nil // what it holds now is for take to say
		case at > 0 && letters(string(r)) == "":
			continue // what stands between the parts is the page's to draw
		}
		if err := e.frame.doc.key(ctx, typedBy(r), 0); err != nil {
			return err
		}
		was = at
	}
	return nil
}

// typedBy is the key that types a character.
func typedBy(r rune) key {
	if k, ok := keyNamed[string(r)]; ok {
		return k
	}
	return key{name: string(r), text: string(r)}
}

// onward waits until a key would go into a box with room, and answers with which
// that is; -1: into none.
func (e *element) onward(ctx context.Context, was int) (int, error) {
	within, cancel := context.WithTimeout(ctx, moveWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var is struct {
			At   int
			Room bool
		}
		if err := e.frame.run(ctx, e.object, &is, "onward", was); err != nil {
			return -1, err
		}
		if is.Room {
			return is.At, nil
		}
		if pause(within, attempt) != nil {
			return -1, ctx.Err()
		}
	}
}

// splits reports whether a field alone has no room for a value that its row of
// boxes may have. A line break would send the form, and is no part of a code.
func (c control) splits(value string) bool {
	return c.Boxes > 1 && c.MaxLength > 0 && utf8.RuneCountInString(value) > c.MaxLength && !strings.ContainsFunc(value, unicode.IsControl)
}

// spread is the value as the boxes from this one on hold it together, and how many
// of them; 0: they don't.
func (e *element) spread(ctx context.Context, value string) (now string, fields int, err error) {
	var is struct{ Values []string }
	if err := e.frame.run(ctx, e.object, &is, "boxed"); err != nil {
		return "", 0, err
	}
	want := letters(value)
	for i, part := range is.Values {
		if now += part; part == "" || !strings.HasPrefix(want, letters(now)) {
			break
		}
		if letters(now) == want && i > 0 {
			return now, i + 1, nil
		}
	}
	return "", 0, nil
}
