package agent

import (
	"context"

	"errand/planner/message"
)

// Status says whether the agent can run.
type Status struct {
	Enabled   bool              `json:"enabled"`
	Faults    []message.Message `json:"faults"` // why it can't run; none: it can
	Tools     []string          `json:"tools"`  // that it may call
	Providers []Provider        `json:"providers"`
	Today     Spending          `json:"today"`
}

// Status describes the agent. It sends nothing.
func (p *Providers) Status(ctx context.Context) (Status, error) {
	specs, err := p.Tools(ctx)
	if err != nil {
		return Status{}, err
	}
	a := p.Config.Agent.Internal
	s := Status{Enabled: a.Enabled, Faults: []message.Message{}, Tools: a.AllowedTools, Providers: p.List(ctx)}
	if !a.Enabled {
		s.Faults = append(s.Faults, message.New("agent.off"))
	}
	var missing []string
	ready := false
	for _, o := range s.Providers {
		if o.Place == 0 {
			continue
		}
		if o.Key == KeyMissing {
			missing = append(missing, o.source())
		}
		ready = ready || o.CanBeAsked()
	}
	if !ready && len(missing) > 0 {
		s.Faults = append(s.Faults, message.New("agent.no_key", "variables", missing))
	}
	s.Faults = append(s.Faults, p.toolProblems(specs)...)
	s.Today, err = p.today(ctx)
	return s, err
}
