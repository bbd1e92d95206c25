//go:build wasip1

// The text plugin: what a text is made of.
package main

import (
	"strings"
	"unicode/utf8"

	"errand/plugins/guest"
)

type text struct {
	Input string `json:"input"`
}

type stats struct {
	Bytes      int `json:"bytes"`
	Characters int `json:"characters"`
	Words      int `json:"words"`
	Lines      int `json:"lines"`
}

func main() {
	guest.Main(map[string]guest.Tool{"text.stats": guest.With(count)})
}

// count counts characters as Unicode code points, words between white space,
// and lines as an editor numbers them: a last newline begins no further line.
func count(t text) (guest.Answer, error) {
	s := stats{
		Bytes:      len(t.Input),
		Characters: utf8.RuneCountInString(t.Input),
		Words:      len(strings.Fields(t.Input)),
		Lines:      strings.Count(t.Input, "\n"),
	}
	if t.Input != "" && !strings.HasSuffix(t.Input, "\n") {
		s.Lines++
	}
	return guest.Answer{Payload: s}, nil
}
