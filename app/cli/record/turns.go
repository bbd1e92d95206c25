package record

import (
	"fmt"
	"slices"
	"strings"

	"errand/app/agent/transcript"
	"errand/host/trace"
	"errand/planner/plan"
)

// turns prints what the models answered.
func (p *printer) turns(rec trace.Record) {
	c, ok := transcript.Of(rec)
	if !ok || !slices.ContainsFunc(c.Turns, func(t transcript.Turn) bool { return t.Answered }) {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", p.say("show.conversation"))
	actions := map[string]plan.Action{}
	for _, a := range c.Actions {
		actions[a.ActionID] = a
	}
	for _, t := range c.Turns {
		var said []string
		if t.Text != "" {
			said = append(said, p.value(t.Text))
		}
		for _, id := range t.Calls {
			said = append(said, p.value(id)+" "+p.value(actions[id].Tool)+" "+p.jsonValue(actions[id].Args))
		}
		if t.Answered {
			fmt.Fprintf(&p.b, "%s%d. %s\n", indent, t.Number, strings.Join(said, "\n"+indent+"   "))
		}
	}
}
