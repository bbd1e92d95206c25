package record

import (
	"fmt"
	"strings"

	"errand/host/agent"
	"errand/host/trace"
)

// turns prints what the models answered.
func (p *printer) turns(rec trace.Record) {
	answers, err := agent.ReadTurns(rec.Turns)
	if err != nil || len(answers) == 0 {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", p.say("show.conversation"))
	for i, a := range answers {
		var said []string
		if a.Text != "" {
			said = append(said, p.value(a.Text))
		}
		for _, c := range a.Calls {
			said = append(said, p.value(c.ID)+" "+p.value(c.Tool)+" "+p.jsonValue(c.Args))
		}
		fmt.Fprintf(&p.b, "%s%d. %s\n", indent, i+1, strings.Join(said, "\n"+indent+"   "))
	}
}
