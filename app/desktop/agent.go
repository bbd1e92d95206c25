package desktop

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"errand/app/agent"
	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/planning"
	"errand/app/runs"
	"errand/host/tool"
	"errand/planner/message"
)

// testTimeout limits a test of a provider. A local model may be loaded first.
const testTimeout = 2 * time.Minute

// ModelAgent gives tasks to language models.
type ModelAgent interface {
	Ask(ctx context.Context, r runs.Request, o agent.TaskOptions) (runs.Report, error)
	// MayAsk reports whether a model may be offered words that the rules don't understand.
	MayAsk(in planning.Interpretation, words string) bool
	Status(ctx context.Context) (agent.Status, error)
	Test(ctx context.Context, provider string) ([]agent.Answer, error)
}

// agentAPI is the part of [API] that gives tasks to language models, and shows their settings.
type agentAPI struct {
	*session
	runs *runAPI
}

// AgentStatus says whether language models can be asked, and what they may do. It sends nothing.
func (a *agentAPI) AgentStatus() (view.AgentStatus, error) {
	none := view.AgentStatus{Providers: []view.Provider{}, Tools: []view.AgentTool{}}
	return query(a.session, askTimeout, none, func(ctx context.Context, e *Engine) (view.AgentStatus, error) {
		if e.Agent == nil {
			return none, nil
		}
		s, err := e.Agent.Status(ctx)
		if err != nil {
			return none, err
		}
		specs, err := e.Tools(ctx)
		return view.NewAgentStatus(s, agentTools(specs, s.Tools)), err
	})
}

// agentTools returns the tools that a model can be given, by name.
func agentTools(specs []tool.Spec, allowed []string) []view.AgentTool {
	out := []view.AgentTool{}
	for _, s := range specs {
		if !s.Boundary && s.SideEffectClass != tool.Auth {
			out = append(out, view.AgentTool{Name: s.Name, Title: titleOf(s), Reads: s.SideEffectClass == tool.Read, Allowed: slices.Contains(allowed, s.Name)})
		}
	}
	slices.SortFunc(out, func(a, b view.AgentTool) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// AskModel gives a task to a language model, and returns like Run. Calls that need approval become a
// draft; after its approval the model goes on in the same run.
func (a *agentAPI) AskModel(ask view.TaskAsk) (view.Run, error) {
	text := strings.TrimSpace(ask.Text)
	if err := planning.CheckGoal(text); err != nil {
		return view.Run{}, err
	}
	return a.runs.begin(text, func(e *Engine, l *live.Run) (live.Work, error) {
		l.MaxTokens = e.Config().Agent.Internal.MaxTokens
		return func(ctx context.Context) (runs.Report, error) {
			return e.Agent.Ask(ctx, runs.Request{Words: text, Progress: l.Progress}, agent.TaskOptions{Provider: ask.Provider})
		}, nil
	})
}

// ContinueRun goes on with the run of a language model that was stopped or failed, or whose draft was
// rejected or has expired. It returns like Run.
func (a *agentAPI) ContinueRun(runID string) (view.Run, error) {
	earlier, err := ask(a.session, askTimeout, view.Run{}, func(ctx context.Context, e *Engine) (view.Run, error) {
		rec, err := e.Record(ctx, runID)
		if err != nil {
			return view.Run{}, err
		}
		return live.OfRecord(rec)
	})
	if err != nil {
		return view.Run{}, err
	}
	return a.runs.begin(earlier.Text, func(e *Engine, l *live.Run) (live.Work, error) {
		return func(ctx context.Context) (runs.Report, error) {
			begin, _ := continueFrom(ctx, e, l, runID)
			return e.Resume(ctx, runs.ResumeRequest{ID: runID, Progress: func(p runs.Progress) { begin(); l.Progress(p) }})
		}, nil
	})
}

// TestProvider says hello to a provider, and reports how long the answer took or why there is none. It sends
// nothing else, also if the agent is off.
func (a *agentAPI) TestProvider(name string) (view.ProviderTest, error) {
	return query(a.session, testTimeout, view.ProviderTest{}, func(ctx context.Context, e *Engine) (view.ProviderTest, error) {
		start := time.Now()
		answers, err := e.Agent.Test(ctx, name)
		p := e.Config().LLM.Provider(name)
		v := view.ProviderTest{Provider: name, Model: p.Model, Host: view.HostOf(p.BaseURL), DurationMS: time.Since(start).Milliseconds()}
		if err != nil {
			v.Error = view.FailureOf(err)
			return v, nil
		}
		for _, one := range answers {
			v.Model, v.DurationMS, v.Error = cmp.Or(one.Model, v.Model), one.Duration.Milliseconds(), view.NewFailure(one.Error)
			if one.Usage != nil {
				v.TokensIn, v.TokensOut = one.Usage.In, one.Usage.Out
			}
		}
		return v, nil
	})
}

// mayAsk reports whether a language model may be offered words that the rules read as in.
func (e *Engine) mayAsk(in planning.Interpretation, words string) bool {
	return e.Agent != nil && e.Agent.MayAsk(in, words)
}

// titleOf returns what a tool is called.
func titleOf(s tool.Spec) message.Message {
	if s.Display.Title.IsZero() {
		return message.Verbatim(s.Name)
	}
	return s.Display.Title
}

// continueFrom makes a run of a language model go on from its record.
func continueFrom(ctx context.Context, e *Engine, l *live.Run, runID string) (begin func(), isAgent bool) {
	rec, err := e.Record(ctx, runID)
	if err != nil {
		return func() {}, false // the run itself reports it
	}
	return l.ContinueFrom(rec, e.Config().Agent.Internal.MaxTokens)
}
