package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"errand/app/drafts"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Answers to the question whether a host is allowed.
const (
	hostOnce   = "once"   // for this run
	hostAlways = "always" // until the user revokes it
	hostNo     = "no"
)

// hostQuestions asks about each host of a plan that neither a list nor a grant allows.
func hostQuestions(e drafts.Evaluation) []plan.Question {
	var questions []plan.Question
	for _, v := range e.Verdicts {
		id := drafts.HostQuestion + v.Decision.Pattern
		if v.Error != nil || !drafts.WaitsForHost(v) || slices.ContainsFunc(questions, func(q plan.Question) bool { return q.ID == id }) {
			continue
		}
		questions = append(questions, plan.Question{
			ID: id, Question: message.New("runs.allow_host", "reason", v.Decision.Reason, "pattern", v.Decision.Pattern),
			Choices: []plan.Choice{
				{Label: message.New("runs.allow_host_once"), Value: hostOnce},
				{Label: message.New("runs.allow_host_always"), Value: hostAlways},
				{Label: message.New("runs.allow_host_no"), Value: hostNo},
			},
		})
	}
	return questions
}

func isHostQuestion(q plan.Question) bool { return strings.HasPrefix(q.ID, drafts.HostQuestion) }

// onlyHosts reports whether the questions of a draft are about the hosts of its plan, and none about
// the words.
func onlyHosts(h drafts.Draft) bool {
	return !h.Plan.IsZero() && !slices.ContainsFunc(h.Questions, func(q plan.Question) bool { return !isHostQuestion(q) })
}

// wordAnswers returns the answers to questions about words.
func wordAnswers(answers map[string]string) map[string]string {
	out := maps.Clone(answers)
	maps.DeleteFunc(out, func(id, _ string) bool { return strings.HasPrefix(id, drafts.HostQuestion) })
	return out
}

// hostAsk asks about the hosts that the plan of an attempt needs.
type hostAsk struct{ *attempt }

// needed reports whether the plan needs hosts that the user can be asked about. An approval in
// advance never allows a host.
func (x hostAsk) needed(e drafts.Evaluation) bool {
	return e.FirstError() == nil && e.WaitsForHost() && x.request.AllowHost != nil && !x.request.Yes
}

// ask asks about the hosts of an evaluated plan, grants those that the user allows and evaluates
// the plan again. Without an answer the plan becomes a draft with the questions. It reports
// whether the plan may go on; if not, the report says why.
func (x hostAsk) ask(ctx context.Context, e *drafts.Evaluation) bool {
	var said dialog
	questions := hostQuestions(*e)
	err := said.ask(ctx, x.request.Ask, questions)
	if errors.Is(err, ErrNoAnswer) {
		x.report.Verdicts = e.Verdicts
		var h drafts.Draft
		if h, err = x.propose(ctx, *e, x.proposal, nil); err == nil {
			x.wait(h, nil)
			return false
		}
	}
	if host := refusedHost(said.answers); err == nil && host != "" {
		x.report.Status = trace.Cancelled
		x.report.Error = tool.NewError(tool.PolicyDenied, "rejected", message.New("runs.host_refused", "by", x.runs.o.User, "host", host))
		return false
	}
	if err == nil {
		err = x.allow(ctx, questions, said.answers)
	}
	if err == nil {
		*e, err = x.evaluate(ctx, e.Plan, e.Done)
	}
	if err != nil {
		x.report.fail(ctx, err)
	}
	return err == nil
}

// allow grants the hosts that the user allowed when asked these questions. Other answers may be
// those of an earlier revision of the draft.
func (x hostAsk) allow(ctx context.Context, questions []plan.Question, answers map[string]string) error {
	for _, q := range questions {
		pattern, ok := strings.CutPrefix(q.ID, drafts.HostQuestion)
		answer := answers[q.ID]
		if !ok || answer != hostOnce && answer != hostAlways {
			continue
		}
		if err := x.request.AllowHost(ctx, x.id, pattern, answer == hostAlways); err != nil {
			return err
		}
	}
	return nil
}

// refusedHost returns the pattern of a host that the user refused; "": there is none.
func refusedHost(answers map[string]string) string {
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		if pattern, ok := strings.CutPrefix(id, drafts.HostQuestion); ok && answers[id] == hostNo {
			return pattern
		}
	}
	return ""
}

// hostsAnswered grants the hosts that the user allowed for a draft and shows its plan as it is
// decided now.
func (x *storedDraft) hostsAnswered(ctx context.Context) (drafts.View, error) {
	if err := (hostAsk{x.attempt}).allow(ctx, x.next.Questions, x.next.Answers); err != nil {
		return x.stored.View(), err
	}
	e, err := x.evaluate(ctx, x.next.Plan, x.next.Draft.Done)
	if err != nil {
		return x.stored.View(), err
	}
	return x.showRevised(ctx, e)
}
