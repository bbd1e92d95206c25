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
	"errand/planner/message"
)

// control describes a field that has the focus.
type control struct {
	Mode          string `json:"how"` // "set" or typed
	Type          string // of an input element, such as date
	MaxLength     int    // characters; 0 or less: no limit
	Boxes         int    // number of fields in its row, over which the page may split a value; 1: only itself, 0: not the first of a row
	Empty, Secret bool
	Malformed     bool // the value is not a colour; the field itself doesn't report that
}

// takeWait is how long a page may take to show typed text. Editors that draw their own
// text do so with a delay.
const takeWait = 500 * time.Millisecond

// fieldContent is the content of a field after a value was entered.
type fieldContent struct {
	value   string
	matches bool // the field contains the value
	fields  int  // number of fields in its row that hold the value; 0: only itself
}

// awaitValue reads the content of a field after a value was entered.
func awaitValue(ctx context.Context, e *document.Element, c control, value string) (fieldContent, error) {
	within, cancel := context.WithTimeout(ctx, takeWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		got, err := readValue(ctx, e, c, value)
		if err != nil || got.matches {
			return got, err
		}
		if document.Pause(within, attempt) != nil {
			return got, ctx.Err()
		}
	}
}

// keepsOne reports whether a field of a row holds one character of a longer value, which
// no input mask would do.
func (c control) keepsOne(value, now string) bool {
	return c.Boxes > 1 && utf8.RuneCountInString(now) <= 1 && utf8.RuneCountInString(value) > 1
}

func readValue(ctx context.Context, e *document.Element, c control, value string) (fieldContent, error) {
	var is struct{ Value string }
	if err := e.Frame.Run(ctx, e.Object, &is, "value"); err != nil {
		return fieldContent{}, err
	}
	if c.Boxes > 1 {
		now, fields, err := readBoxes(ctx, e, value)
		if err != nil || fields > 0 {
			return fieldContent{now, true, fields}, err
		}
	}
	return fieldContent{is.Value, c.accepts(value, is.Value) && !c.keepsOne(value, is.Value), 0}, nil
}

// accepts reports whether the content of a field represents the value. A mask may add
// separators and change the case. Empty content and a prefix of the value don't count.
func (c control) accepts(value, now string) bool {
	if value == now || value == "" {
		return true // a cleared field may show a default
	}
	switch c.Type {
	case "color":
		return !c.Malformed
	case "number", "range": // 5 equals 5.0, but 35 is not 3,5
		a, errA := strconv.ParseFloat(value, 64)
		b, errB := strconv.ParseFloat(now, 64)
		return errA == nil && errB == nil && a == b
	}
	if rest, cut := strings.CutPrefix(value, now); cut && (now == "" || strings.TrimSpace(rest) != "") {
		return false
	}
	want, has := lettersOf(value), lettersOf(now)
	if c.Mode == "set" {
		return want == has || strings.ReplaceAll(want, "t", "") == strings.ReplaceAll(has, "t", "") // the T between a date and a time
	}
	return want == has || has == "" || !strings.HasPrefix(want, has) // a password field may show dots
}

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// valueForms describes the format of values for input types with a fixed format.
var valueForms = map[string]string{
	"number": "12.5", "range": "50", "color": "#ff8800",
	"date": "2026-12-31", "time": "14:30", "datetime-local": "2026-12-31T14:30", "month": "2026-12", "week": "2026-W53",
}

// notTakenError returns the error for a field that did not accept a value. It doesn't
// reveal secrets.
func notTakenError(e *document.Element, c control, now string, secret bool) *tool.Error {
	kept := message.New("browser.not_taken_empty", "element", e.Message())
	switch {
	case secret && now != "":
		kept = message.New("browser.not_taken_secret", "element", e.Message())
	case now != "":
		kept = message.New("browser.not_taken", "element", e.Message(), "kept", address.Clip(now))
	}
	fail := tool.NewError(tool.ExecutionError, "not_taken", kept)
	form, typed := valueForms[c.Type]
	switch {
	case c.Boxes > 1 && now != "":
		return fail.WithAlternative(message.New("browser.fill_boxes", "count", c.Boxes))
	case typed && c.Type == "range":
		return fail.WithAlternative(message.New("browser.give_number", "example", form))
	case typed:
		return fail.WithAlternative(message.New("browser.write_like_field", "type", c.Type, "example", form))
	case c.MaxLength > 0 && now != "":
		return fail.WithAlternative(message.New("browser.give_shorter_value", "limit", c.MaxLength))
	}
	return fail.WithHint(message.New("browser.look_at_field"))
}
