package print

import (
	"fmt"
	"strings"

	"errand/app/runs"
	"errand/host/agent"
	"errand/host/trace"
)

// speech is what a language model says, which a terminal shows while it comes.
type speech struct {
	number int    // of the turn
	text   string // that was printed of it
	isOpen bool   // the last line has no end yet
}

// hear prints what a model says, if the event is about that and the output is a terminal. Before any
// other event it ends the line.
func (p *RunPrinter) hear(e runs.Event) {
	if !isTerminal(p.Console, p.Stdout) || p.Quiet {
		return
	}
	switch e := e.(type) {
	case runs.PartialEvent:
		p.say(e.Number, e.Text)
		return
	case runs.TurnEvent:
		if said, err := agent.ReadTurns([]trace.Turn{e.Turn}); err == nil && len(said) > 0 && said[0].Text != "" {
			p.say(e.Number, said[0].Text)
		}
	}
	p.endLine()
}

// say prints what a text has beyond the text before it. It prints another text from its beginning.
func (p *RunPrinter) say(number int, text string) {
	s := &p.speech
	if number != s.number || !strings.HasPrefix(text, s.text) {
		p.endLine()
		if number == s.number {
			p.Note("cli.model_begins_again")
		}
		*s = speech{number: number}
	}
	for line := range strings.Lines(text[len(s.text):]) {
		if !s.isOpen {
			fmt.Fprint(p.Stdout, "│ ")
		}
		fmt.Fprint(p.Stdout, trace.PlainLines(line))
		s.isOpen = !strings.HasSuffix(line, "\n")
	}
	s.text = text
}

func (p *RunPrinter) endLine() {
	if p.speech.isOpen {
		fmt.Fprintln(p.Stdout)
		p.speech.isOpen = false
	}
}
