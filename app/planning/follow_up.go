package planning

import (
	"cmp"
	"slices"

	"errand/app/planning/places"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/planner/plan"
)

// hasOpenPage reports whether a page is open in w, or now if w is nil: "this page" means it.
func (p *Planner) hasOpenPage(w *plan.World) bool {
	return w != nil && w.HasOpenPage() || w == nil && p.openPage != nil && p.openPage()
}

// lacksTarget reports whether goals are about a file or folder that is not there. "That file" does not name it then.
func (p *Planner) lacksTarget(in Interpretation) bool {
	fault := p.CheckTargets(in, plan.World{RecentFacts: p.ExistingPaths(in.files)}, false)
	return fault != nil && fault.Code == places.CodeNotFound
}

// readFollowUp reads words that mean nothing by themselves as a goal about earlier goals, where
// there is a context. Words for a place in a list may also look like the name of a file that is not
// there: "what is in the first folder". Words about the open page count too, if none is open. An origin other than the user has no context.
func (p *Planner) readFollowUp(in Interpretation, r interpret.Reading, text string, request Request) Interpretation {
	if request.Context == nil || request.Origin != "" && request.Origin != plan.UserGoal {
		return in
	}
	var c *followup.Context
	context := func() followup.Context {
		if c == nil {
			now := request.Context()
			c = &now
		}
		return *c
	}
	refers := r.Goals.RefersToPage() && in.Status == interpret.OK && (!p.hasOpenPage(request.World) || context().IsMeantOverPage())
	reader := p.reader.WithApps(request.find)
	wanted := followup.Find(reader.Parse(text))
	isMissing := in.Status == interpret.OK && wanted.NamesThing() && (!request.Look || p.lacksTarget(in)) // a replay looks at nothing
	switch {
	case wanted.Kind == followup.None:
		return in
	case in.Status == interpret.OK && !refers && !isMissing && (!wanted.NamesPlace() || request.Look && !p.mayNameFiles(in)):
		return in
	}
	found, ok := (&followup.Reader{Interpreter: reader, Context: context(), Answers: request.Answers}).Read(text)
	if !ok || refers && !found.Reason.IsZero() { // the plan says that no page is open
		return in
	}
	about := followup.NewAbout(found, context(), p.ShortenPath)
	switch {
	case found.IsNothing() && in.Status == interpret.OK && !isMissing:
		return in
	case found.Question != nil:
		in = withoutGoals(in, interpret.Ambiguous, found.Question.Question)
		in.Questions = []plan.Question{*found.Question}
	case found.IsNothing() && r.Status == interpret.Ambiguous && len(in.Questions) > 0 && len(in.Questions[0].Choices) == 0: // its question says what is missing
		in.Questions = slices.Clone(in.Questions)
		q := &in.Questions[0]
		q.Question = message.New("question.after_follow_up", "why", found.Reason, "question", q.Question)
		in.Reason = q.Question
	case !found.Reason.IsZero():
		in = withoutGoals(in, interpret.Unsupported, found.Reason)
	case about.LooksBack():
		in = withoutGoals(in, interpret.OK, message.Message{})
	case len(found.Goals.Goals) > 0:
		in = withoutGoals(in, interpret.OK, message.Message{})
		p.fill(&in, found.Goals, request.Answers)
		in.locate(cmp.Or(request.Work, p.Conf.Paths.Work))
		in = p.nameApps(in, request.find, request.Answers)
	default:
		if found.Answers != nil {
			request.Answers = found.Answers
		}
		in, _ = p.readText(cmp.Or(found.Words, text), found.Names, request)
	}
	in.FollowUp = about
	return in
}
