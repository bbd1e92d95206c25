package print

import "errand/host/trace"

// Painted is text with a colour, for a stream that shows colours.
type Painted struct{ color, text string }

func Paint(color, text string) Painted { return Painted{color, trace.Plain(text)} }

const (
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	Red    = "\x1b[31m"
	Quiet  = "\x1b[2m"
	Bold   = "\x1b[1m"
)
