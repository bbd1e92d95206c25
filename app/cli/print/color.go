package print

import "errand/planner/message"

// ColoredText is a text or a message with a colour, for a stream that shows colours.
type ColoredText struct {
	color string
	value any
}

// Paint returns a text with a colour.
func Paint(color, text string) ColoredText { return ColoredText{color, text} }

// PaintMessage returns a message with a colour.
func PaintMessage(color string, code string, pairs ...any) ColoredText {
	return ColoredText{color, message.New(code, pairs...)}
}

const (
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	Red    = "\x1b[31m"
	Quiet  = "\x1b[2m"
	Bold   = "\x1b[1m"
	Strike = "\x1b[9m" // without colours: ~words~
)
