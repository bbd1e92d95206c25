package run

import (
	"slices"
	"sync"

	"errand/host/run/site"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// pageSteps has the steps of each run that use its page and are done, in their order.
type pageSteps struct {
	mu    sync.Mutex
	byRun map[string][]trace.Step
}

func (p *pageSteps) add(spec tool.Spec, s trace.Step) {
	if s.Status != trace.Done || spec.PageUse(s.Args) == tool.NoPage {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byRun == nil {
		p.byRun = map[string][]trace.Step{}
	}
	p.byRun[s.RunID] = append(p.byRun[s.RunID], s)
}

func (p *pageSteps) forRun(runID string) []trace.Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.byRun[runID])
}

// nameSites sets the site on which each call acts. The error of a call whose site is not
// known is not nil.
func (d *Dispatcher) nameSites(calls []tool.Call, deps [][]string, index map[string]int) []*tool.Error {
	faults := make([]*tool.Error, len(calls))
	if len(calls) == 0 {
		return faults
	}
	steps := make([]site.Step, len(calls))
	for i, c := range calls {
		steps[i] = d.siteStep(c, deps[i])
	}
	var earlier []site.Step
	for _, s := range d.pageSteps.forRun(calls[0].RunID) {
		if _, isOwn := index[s.StepID]; !isOwn {
			earlier = append(earlier, d.siteStep(tool.Call{ActionID: s.StepID, Tool: s.ToolName, Args: s.Args}, nil))
		}
	}
	for i, n := range site.Find(earlier, steps) {
		calls[i].Site = n.Site
		if n.Unknown {
			faults[i] = tool.NewError(tool.ValidationError, "page_unknown", message.New("run.page_unknown", "tool", calls[i].Tool)).
				WithHint(message.New("run.name_page"))
		}
	}
	return faults
}

func (d *Dispatcher) siteStep(c tool.Call, deps []string) site.Step {
	s := site.Step{ID: c.ActionID, Args: c.Args, DependsOn: deps}
	t, known := d.o.Tools.Get(c.Tool)
	if !known {
		return s
	}
	s.Spec = t.Spec()
	s.Effect = s.Spec.Effect
	if judge, can := t.(tool.Classifier); can {
		if effect, fault := d.declaredEffect(judge, c); fault == nil {
			s.Effect = effect
		}
	}
	return s
}
