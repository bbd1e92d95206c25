package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"errand/app/planning/places"
	"errand/host/tool"
	"errand/planner"
	"errand/planner/installed"
	"errand/planner/interpret"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/planner/plan"
)

// Interpret reads words by rules. It opens nothing and takes microseconds.
func (p *Planner) Interpret(text string) Interpretation { return p.interpret(text, Request{}) }

// InterpretHere reads words as [Planner.Interpret] does, and looks at the files that they may name.
func (p *Planner) InterpretHere(text string) Interpretation {
	return p.WithFolders(p.folders).interpret(text, Request{Look: true, Context: p.context})
}

func (p *Planner) interpret(text string, request Request) Interpretation {
	var lookups installed.Answers
	request.find = lookups.Record(p.appsOf(request))
	in, r := p.readText(text, nil, request)
	in = p.readFollowUp(in, r, text, request)
	if in.FollowUp == nil || in.FollowUp.Missed {
		if in.Status == interpret.Unsupported && len(request.Answers) == 0 {
			p.offer(&in, text)
		}
		in = p.readPhrase(p.readRecipe(in, text, request), r, text, request)
		in = p.nameFiles(in, text, request)
	}
	in.lookups = lookups
	return guard(p.vault, in, text)
}

// readText reads a text in which some words are names of files and folders that are there.
func (p *Planner) readText(text string, names []filename.Name, request Request) (Interpretation, interpret.Reading) {
	r := p.reader.WithApps(request.find).ReadNamed(text, names, request.Answers)
	in := Interpretation{
		Status: r.Status, Language: r.Language, Goals: []plan.Goal{},
		Questions: r.Questions, Reason: r.Reason, Evidence: r.Evidence,
	}
	if in.Questions == nil {
		in.Questions = []plan.Question{}
	}
	if r.Status == interpret.OK {
		p.fill(&in, r.Goals, request.Answers)
		in.Evidence = evidenceFor(r, in.Goals)
		in.files.Longer = longerNames(text, in.Goals, in.Evidence)
		in.files.Writes = writtenFiles(p.reader.Words(), in.Goals, in.Evidence)
		in.locate(cmp.Or(request.Work, p.Conf.Paths.Work))
		in = p.nameApps(in, request.find, request.Answers)
	}
	return in, r
}

// Request asks for a plan. Without World the world is empty; without
// Capabilities they are those of the program's tools.
type Request struct {
	Origin       plan.Origin // of the plan
	Text         string
	Answers      map[string]string // to earlier questions about the words, by their ids
	Goals        []plan.Goal       // in place of Text: goals that are understood already
	Voice        *plan.Voice
	Work         string // the folder of "here"; empty: that of the program, if it has one
	World        *plan.World
	Look         bool             // look at the files that the words name; with World only for names without an extension
	Entries      []filename.Entry // in place of a look for such names, those that a look found
	Capabilities []plan.Capability
	// Context is what earlier goals were about. It is asked only for words that mean nothing
	// without it. Nil: no goals are about earlier ones.
	Context func() followup.Context

	find installed.Finder // of the apps that the words may mean
}

// Plan interprets and plans, and carries nothing out.
func (p *Planner) Plan(ctx context.Context, r Request) (Planned, error) {
	p = p.WithFolders(p.folders)
	listed := func() ([]plan.Capability, error) { return r.Capabilities, nil }
	if r.Capabilities == nil { // listed while the words are read: each takes milliseconds of a start
		listed = sync.OnceValues(func() ([]plan.Capability, error) { return p.capabilities(ctx) })
		go func() { _, _ = listed() }()
	}
	if r.Look && r.World == nil && r.Context == nil {
		r.Context = p.context
	}
	in, voice := p.Understand(r)
	capabilities, err := listed()
	if in.Recipe != "" && err == nil {
		planned, err := p.recipes.Plan(ctx, in.Recipe)
		planned.Interpretation = in
		return planned, err
	}
	if in.Call != nil && err == nil {
		return planPhrase(ctx, p, in)
	}
	if in.FollowUp.LooksBack() {
		result := plan.NewSatisfied(message.New("follow_up.looks_back", "wish", string(in.FollowUp.Wish)))
		return Planned{in, &result}, nil
	}
	switch {
	case in.Status != interpret.OK:
		return Planned{Interpretation: in}, nil
	case err != nil:
		return Planned{Interpretation: in}, err
	}
	r.Capabilities = capabilities
	return p.PlanUnderstood(in, voice, r)
}

// PlanUnderstood plans what was understood.
func (p *Planner) PlanUnderstood(in Interpretation, voice *plan.Voice, r Request) (Planned, error) {
	var world plan.World
	switch {
	case r.World != nil:
		world = *r.World
	case r.Look:
		world.RecentFacts = append(p.LookAtAll(in.files), p.LookAtTrash(in.files)...)
	}
	set := p.Settle(in.files, world.RecentFacts)
	if refused, ok := p.RefuseUngranted(set.Goals); ok {
		return Planned{in, &refused}, nil
	}
	if refused, ok := p.RefuseSeveral(in.files, world.RecentFacts); ok && r.World == nil {
		return Planned{in, &refused}, nil
	}
	if r.Look && r.World == nil {
		world.RecentFacts = append(world.RecentFacts, places.FullFolders(p.Places, set.Goals...)...)
		if fault := p.CheckExisting(in.files, set.Goals, world.RecentFacts, true); fault != nil {
			refused := plan.BlockedBy(fault.Message, nil)
			return Planned{in, &refused}, nil
		}
	}
	result, err := p.planner.Plan(planner.Request{
		Goals: places.ShareFolders(places.Expand(p.Spread(set), world.RecentFacts), world.RecentFacts), Prepared: true, Several: slices.ContainsFunc(set.Goals, plan.Goal.AreMany), World: world, Capabilities: r.Capabilities,
		Origin: r.Origin, Text: r.Text, Language: in.Language, Voice: voice, Apps: in.apps,
	})
	if ambiguous, ok := errors.AsType[*plan.AmbiguousError](err); ok {
		return Planned{Interpretation: withQuestion(in, ambiguous)}, nil
	}
	if err != nil {
		return Planned{Interpretation: in}, tool.NewError(tool.ValidationError, "bad_plan_request", message.New("planning.bad_plan_request", "cause", err))
	}
	result = p.explainOff(result)
	return Planned{in, &result}, nil
}

// explainOff names in a result the plugin that has what is unmet, if the user turned it off.
func (p *Planner) explainOff(r plan.Result) plan.Result {
	unmet := r.Unmet()
	if len(unmet) == 0 {
		return r
	}
	for _, o := range p.off() {
		if !o.Provides(unmet) {
			continue
		}
		why := message.New("planning.plugin_off", "plugin", o.Plugin)
		switch made, _ := r.Plan(); r.Status() {
		case plan.NoCapability:
			return plan.Incapable(why, unmet)
		case plan.Blocked:
			return plan.BlockedBy(why, unmet)
		case plan.Partial:
			proof, _ := r.Proof()
			return plan.PartlySucceeded(made, why, unmet, proof)
		}
	}
	return r
}

// PlaceGoals returns goals with the paths that their words say, on this machine. It looks at
// nothing.
func (p *Planner) PlaceGoals(in Interpretation) []plan.Goal {
	goals := p.Settle(in.files, nil).Goals
	for i, g := range goals {
		if g.Destination != "" && (g.Action != plan.RenameAction || strings.ContainsAny(g.Destination, `/\`)) {
			goals[i].Destination = p.Place(g.Destination)
		}
	}
	return goals
}

// CheckTargets returns the error for goals about files and folders that can't be reached because
// of what is there, as the world says. If look is set, it offers names near to a missing one.
func (p *Planner) CheckTargets(in Interpretation, world plan.World, look bool) *tool.Error {
	return p.CheckGoals(in.files, world, look)
}

// Solve plans from facts to facts, without words.
func (*Planner) Solve(p plan.Problem) (plan.Result, error) { return planner.Solve(p, nil) }
