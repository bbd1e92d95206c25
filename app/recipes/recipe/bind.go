package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// Binding has everything besides the recipe that a plan is made from.
type Binding struct {
	Values map[string]string // as typed, by parameter
	Origin plan.Origin
	Specs  []tool.Spec
	Risk   func(tool.Spec) plan.RiskLevel
	Path   func(string) string // makes values of type path absolute; nil: unchanged
	// PlaceArgs makes the paths in arguments of a tool absolute; nil: unchanged.
	PlaceArgs func(tool.Spec, map[string]any) map[string]any
	// AllowMissingSecrets allows missing secrets, for a plan that is only shown.
	AllowMissingSecrets bool
}

// Plan returns the recipe as a plan with its parameters filled in. The error is an
// [*Error] with all problems: a parameter that does not exist, is missing or has the
// wrong type, and arguments that their tool rejects.
//
// The plan contains references instead of secrets: for parameters of type secret, and
// for values of fields with the name of a secret. The second result has the values.
func (r *Recipe) Plan(b Binding) (plan.Plan, tool.Secrets, error) {
	f := &problemList{file: r.file, lines: r.lines}
	secrets := tool.Secrets{}
	values := r.values(f, b, secrets)
	if err := f.err(); err != nil {
		return plan.Plan{}, nil, err
	}
	r.check(f, b.Specs, values, nil)
	f.dotSegments(r, values)
	if err := f.err(); err != nil {
		return plan.Plan{}, nil, err
	}
	c := plan.Content{Origin: b.Origin, Domain: "recipe", Language: "en", Summary: r.summary(b.Origin)}
	for _, s := range r.Steps {
		spec := b.Specs[slices.IndexFunc(b.Specs, func(t tool.Spec) bool { return t.Name == s.Tool })]
		args := s.bindArgs(values)
		s.hide(spec, args, values, secrets)
		if b.PlaceArgs != nil {
			args = b.PlaceArgs(spec, args)
		}
		needs := s.DependsOn
		if at, ok := s.arrival(b, needs); ok {
			needs = []string{at.ActionID}
			c.Actions = append(c.Actions, at)
		}
		a := plan.Action{
			ActionID: s.ID, Tool: s.Tool, Args: args, DependsOn: needs, Confidence: 1,
			ExpectedEffect: effectOf(spec), Reason: message.New("plan.recipe_step", "step", s.ID, "recipe", r.Name), Preview: s.preview(args, b.Origin),
			RiskLevel: b.Risk(spec), ReadOnly: spec.SideEffectClass == tool.Read,
		}
		a.IdempotencyScope = plan.Scope(s.Tool, s.ID)
		c.Actions = append(c.Actions, a)
	}
	c.Inputs.RawText = Words(r.Name, WithoutSecrets(b.Values, secrets))
	c.GoalAchievedBy = c.Actions[len(c.Actions)-1].ActionID
	p, err := plan.New(c)
	if err != nil {
		return p, nil, &Error{r.file, []Problem{{0, message.FromError(err)}}}
	}
	return p, secrets, nil
}

// values returns the given or default values of the parameters. A secret is a
// reference; its value goes to secrets.
func (r *Recipe) values(f *problemList, b Binding, secrets tool.Secrets) map[string]any {
	names := make([]string, len(r.Params))
	values := map[string]any{}
	for i, p := range r.Params {
		names[i] = p.Name
		value, ok := b.Values[p.Name]
		switch {
		case ok:
			v, why := p.parse(value)
			if !why.IsZero() {
				f.addAt("params."+p.Name, message.New("recipes.bad_value", "name", p.Name, "fault", why))
			}
			values[p.Name] = v
			if p.Type == Secret {
				values[p.Name], secrets[p.Name] = tool.SecretRef(p.Name), value
			}
		case p.Default != nil:
			values[p.Name] = p.Default
		case p.Type == Secret && b.AllowMissingSecrets:
			values[p.Name] = tool.SecretRef(p.Name)
		case p.Type == Secret:
			f.addAt("params."+p.Name, message.New("recipes.secret_missing", "name", p.Name))
		default:
			f.addAt("params."+p.Name, message.New("recipes.value_missing", "name", p.Name))
		}
		if path, isText := values[p.Name].(string); isText && p.Type == Path && b.Path != nil {
			values[p.Name] = b.Path(path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		if slices.Contains(names, name) {
			continue
		}
		m := message.New("recipes.no_parameters", "name", name)
		if near := message.Nearest(name, names); near != "" {
			m = message.New("recipes.unknown_parameter_near", "name", name, "near", near)
		} else if len(names) > 0 {
			m = message.New("recipes.unknown_parameter", "name", name, "known", names)
		}
		f.all = append(f.all, Problem{0, m})
	}
	return values
}

// bindArgs returns the step's arguments with the values and the expected target.
func (s Step) bindArgs(values map[string]any) map[string]any {
	args := fillIn(s.Args, values).(map[string]any)
	if s.Target == nil {
		return args
	}
	is := map[string]any{}
	for key, v := range map[string]string{"role": s.Target.Role, "name": s.Target.Name, "host": s.Target.Host} {
		if v != "" {
			is[key] = v
		}
	}
	if l, ok := args["locator"].(map[string]any); ok {
		l["is"] = is
	}
	return args
}

// arrival returns the check that the page is on the host for which a step without an
// element was made.
func (s Step) arrival(b Binding, needs []string) (plan.Action, bool) {
	_, located := s.Args["locator"].(map[string]any)
	at := slices.IndexFunc(b.Specs, func(t tool.Spec) bool { return t.Page == tool.ChecksPage })
	if s.Target == nil || s.Target.Host == "" || located || at < 0 {
		return plan.Action{}, false
	}
	args := map[string]any{"url": "*://" + s.Target.Host + "/*"}
	return plan.Action{
		ActionID: s.ID + ArrivalSuffix, Tool: b.Specs[at].Name, Args: args, DependsOn: needs, Confidence: 1,
		ExpectedEffect: "page_as_recorded", Reason: message.New("plan.arrival_check", "step", s.ID), Preview: message.New("plan.check_arrival", "host", s.Target.Host),
		RiskLevel: plan.Low, ReadOnly: true, IdempotencyScope: s.ID + ArrivalSuffix,
	}, true
}

// ArrivalSuffix is the suffix of the ids of checks that a plan has in addition to the
// recipe's own steps.
const ArrivalSuffix = "-at"

func effectOf(spec tool.Spec) string {
	for _, e := range spec.Effects {
		if !strings.HasPrefix(e, "!") {
			return e
		}
	}
	return spec.Name + "_done"
}

func (r *Recipe) summary(origin plan.Origin) message.Message {
	switch {
	case r.Description == "":
		return message.Verbatim(r.Name)
	case !origin.IsOwn():
		return message.New("plan.recipe_claim", "recipe", r.Name, "claim", answers.ShortenClaim(r.Description))
	}
	return message.Verbatim(r.Description)
}

// preview returns the description of a step of the user's own recipe. For another recipe, or
// a step without one, it is made from the arguments, with the author's description marked.
func (s Step) preview(args map[string]any, origin plan.Origin) message.Message {
	summary := answers.SummarizeBriefly(s.Tool, args)
	switch {
	case s.Description == "":
		return summary
	case !origin.IsOwn():
		return answers.WithClaim(summary, s.Description)
	}
	return message.Verbatim(s.Description)
}

// Words returns the words of a recipe's run for records: its name and its values.
func Words(name string, values map[string]string) string {
	words := "recipe " + name
	for _, k := range slices.Sorted(maps.Keys(values)) {
		words += fmt.Sprintf(" %s=%s", k, values[k])
	}
	return words
}
