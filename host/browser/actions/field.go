package actions

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/tool"
)

// control is what a field says of itself once it has the focus.
type control struct {
	How           string // "set", or typed
	Type          string // of an input, such as date
	MaxLength     int    // characters; 0 or less: no bound
	Boxes         int    // of the row that it begins, over which the page may split a value; 1: itself, 0: it begins none
	Empty, Secret bool
	Malformed     bool // the value is not a colour; the field can't show that otherwise
}

// takeWait is how long a page has to put what was typed in its place: editors
// that draw their text themselves do so a moment later.
const takeWait = 500 * time.Millisecond

// holding is what a field holds that was given a value.
type holding struct {
	now    string
	taken  bool // the value is in it
	fields int  // with the others of its row that hold it together; 0: itself
}

// awaitValue reads what a field holds that was given a value.
func awaitValue(ctx context.Context, e *document.Element, c control, value string) (holding, error) {
	within, cancel := context.WithTimeout(ctx, takeWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		got, err := readValue(ctx, e, c, value)
		if err != nil || got.taken {
			return got, err
		}
		if document.Pause(within, attempt) != nil {
			return got, ctx.Err()
		}
	}
}

// keepsOne reports whether a box of a row has one character of a longer value, which
// no mask makes of it.
func (c control) keepsOne(value, now string) bool {
	return c.Boxes > 1 && utf8.RuneCountInString(now) <= 1 && utf8.RuneCountInString(value) > 1
}

func readValue(ctx context.Context, e *document.Element, c control, value string) (holding, error) {
	var is struct{ Value string }
	if err := e.Frame.Run(ctx, e.Object, &is, "value"); err != nil {
		return holding{}, err
	}
	if c.Boxes > 1 {
		now, fields, err := readBoxes(ctx, e, value)
		if err != nil || fields > 0 {
			return holding{now, true, fields}, err
		}
	}
	return holding{is.Value, c.accepts(value, is.Value) && !c.keepsOne(value, is.Value), 0}, nil
}

// accepts reports whether what a field holds is the value, maybe in another form: a
// mask puts separators between its letters and digits, and another case is the
// same. It is not where there is nothing, or only the beginning of it.
func (c control) accepts(value, now string) bool {
	if value == now || value == "" {
		return true // what a field holds by itself when it is cleared, it may
	}
	switch c.Type {
	case "color":
		return !c.Malformed
	case "number", "range": // 5 is 5.0, and 35 is not 3,5
		a, errA := strconv.ParseFloat(value, 64)
		b, errB := strconv.ParseFloat(now, 64)
		return errA == nil && errB == nil && a == b
	}
	if rest, cut := strings.CutPrefix(value, now); cut && (now == "" || strings.TrimSpace(rest) != "") {
		return false
	}
	want, has := lettersOf(value), lettersOf(now)
	if c.How == "set" {
		return want == has || strings.ReplaceAll(want, "t", "") == strings.ReplaceAll(has, "t", "") // the T between a date and a time
	}
	return want == has || has == "" || !strings.HasPrefix(want, has) // dots in place of all letters hide them
}

// lettersOf are the letters and digits of a text, in one case.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// valueForms is how a value of a type of input is written, where not any text will do.
var valueForms = map[string]string{
	"number": "12.5", "range": "50", "color": "#ff8800",
	"date": "2026-12-31", "time": "14:30", "datetime-local": "2026-12-31T14:30", "month": "2026-12", "week": "2026-W53",
}

// notTakenError says that a field did not take a value. Of a secret it says nothing.
func notTakenError(e *document.Element, c control, now string, secret bool) *tool.Error {
	kept := "nothing of the value"
	switch {
	case secret && now != "":
		kept = "a part of the value alone, or another one"
	case now != "":
		kept = strconv.Quote(address.Clip(now))
	}
	fail := tool.Errorf(tool.ExecutionError, "not_taken", "%s did not take the value: it kept %s", e, kept)
	form, typed := valueForms[c.Type]
	switch {
	case c.Boxes > 1 && now != "":
		return fail.WithHint("the page may want a part of the value in each of %d fields: fill them one by one", c.Boxes)
	case typed && c.Type == "range":
		return fail.WithHint("give a number within the field's bounds and steps, such as %s", form)
	case typed:
		return fail.WithHint("write it as the field (type %s) takes it, such as %s", c.Type, form)
	case c.MaxLength > 0 && now != "":
		return fail.WithHint("give a value of at most %d characters", c.MaxLength)
	}
	return fail.WithHint("look at the page for what the field takes")
}
