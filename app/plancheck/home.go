package plancheck

import (
	"strings"

	"errand/planner/plan"
)

// Cases run on machines with other homes: "~/Documents/x" stands for the place
// where this one keeps documents, in the facts of a world and in what is
// expected, as it does in goals.

// world is the world of a case with the paths of this machine; nil is an empty
// one.
func (k *Checker) world(w *plan.World) *plan.World {
	if w == nil {
		return nil
	}
	out := *w
	out.RecentFacts = k.facts(w.RecentFacts)
	return &out
}

func (k *Checker) facts(facts []string) []string {
	if facts == nil {
		return nil
	}
	out := make([]string, len(facts))
	for i, fact := range facts {
		out[i] = fact
		if about, path, ok := strings.Cut(fact, ":"); ok {
			out[i] = about + ":" + k.Planner.ResolvePath(path)
		}
	}
	return out
}

// athome is an expectation with the paths of this machine.
func (k *Checker) athome(e Expect) Expect {
	e.Unmet = k.facts(e.Unmet)
	if e.Args == nil {
		return e
	}
	all := make([]map[string]any, len(e.Args))
	for i, args := range e.Args {
		all[i] = make(map[string]any, len(args))
		for name, value := range args {
			if text, ok := value.(string); ok {
				value = k.Planner.ResolvePath(text)
			}
			all[i][name] = value
		}
	}
	e.Args = all
	return e
}
