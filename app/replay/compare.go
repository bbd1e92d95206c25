package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"errand/app/secrets"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// comparison finds the first difference of two JSON trees, in the order of their keys. A
// text that redaction changed on either side is skipped and noted with its place.
type comparison struct {
	leave func(pointer string)
}

func (c comparison) first(pointer string, recorded, now any) (at string, was, is any, differ bool) {
	switch was := recorded.(type) {
	case map[string]any:
		if is, ok := now.(map[string]any); ok {
			return c.firstOfMaps(pointer, was, is)
		}
	case []any:
		if is, ok := now.([]any); ok {
			return c.firstOfLists(pointer, was, is)
		}
	}
	if secrets.IsMarked(recorded) || secrets.IsMarked(now) {
		c.leave(pointer)
		return "", nil, nil, false
	}
	if equal(recorded, now) {
		return "", nil, nil, false
	}
	return pointer, recorded, now, true
}

func (c comparison) firstOfMaps(pointer string, recorded, now map[string]any) (at string, was, is any, differ bool) {
	keys := slices.Collect(maps.Keys(recorded))
	for key := range now {
		if _, both := recorded[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if i := slices.Index(keys, "status"); i > 0 { // says more than what follows from it
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, "status")
	}
	for _, key := range keys {
		if at, was, is, differ := c.first(pointer+"/"+escapeToken(key), recorded[key], now[key]); differ {
			return at, was, is, true
		}
	}
	return "", nil, nil, false
}

func (c comparison) firstOfLists(pointer string, recorded, now []any) (at string, was, is any, differ bool) {
	for i := range max(len(recorded), len(now)) {
		var was, is any
		if i < len(recorded) {
			was = recorded[i]
		}
		if i < len(now) {
			is = now[i]
		}
		if at, was, is, differ := c.first(pointer+"/"+strconv.Itoa(i), was, is); differ {
			return at, was, is, true
		}
	}
	return "", nil, nil, false
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(token string) string { return pointerEscapes.Replace(token) }

func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any, []any: // b has another type, as first compares two containers itself
		return false
	case json.Number:
		if b, ok := b.(json.Number); ok {
			return sameNumber(a, b)
		}
		return false
	case nil, bool, string, float64:
		switch b.(type) {
		case nil, bool, string, float64:
			return a == b
		}
	}
	return false
}

func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return err1 == nil && err2 == nil && x == y
}

// recordedPlan returns the plan of a recorded answer of the planner, or the zero Plan. It
// computes plan_id and counts again, as redaction may have changed the words.
func recordedPlan(result json.RawMessage) (plan.Plan, error) {
	var doc struct {
		Plan *struct {
			Origin             plan.Origin     `json:"origin"`
			Domain             string          `json:"domain"`
			Summary            message.Message `json:"summary"`
			Language           string          `json:"language"`
			Inputs             plan.Inputs     `json:"inputs"`
			Entities           []plan.Entity   `json:"entities"`
			Actions            []plan.Action   `json:"actions"`
			Modules            []plan.Module   `json:"modules"`
			NeedsClarification []plan.Question `json:"needs_clarification"`
			Risks              []plan.Risk     `json:"risks"`
			GoalAchievedBy     string          `json:"goal_achieved_by"`
		} `json:"plan"`
	}
	bad := func(err error) *tool.Error {
		return tool.NewError(tool.ValidationError, "bad_record", message.New("replay.bad_record", "cause", err))
	}
	if len(result) == 0 {
		return plan.Plan{}, nil
	}
	if err := json.Unmarshal(result, &doc); err != nil {
		return plan.Plan{}, bad(err)
	}
	if doc.Plan == nil {
		return plan.Plan{}, nil
	}
	d := doc.Plan
	p, err := plan.New(plan.Content{
		Origin: d.Origin, Domain: d.Domain, Summary: d.Summary, Language: d.Language, Inputs: d.Inputs,
		Entities: d.Entities, Actions: d.Actions, Modules: d.Modules, NeedsClarification: d.NeedsClarification,
		Risks: d.Risks, GoalAchievedBy: d.GoalAchievedBy,
	})
	if err != nil {
		return plan.Plan{}, bad(err)
	}
	return p, nil
}

// actionAt answers which action of a recorded planner's answer a pointer leads
// into; "" for none.
func actionAt(result any) func(pointer string) string {
	return func(pointer string) string {
		rest, ok := strings.CutPrefix(pointer, "/plan/actions/")
		if !ok {
			return ""
		}
		index, _, _ := strings.Cut(rest, "/")
		i, err := strconv.Atoi(index)
		answer, _ := result.(map[string]any)
		planned, _ := answer["plan"].(map[string]any)
		actions, _ := planned["actions"].([]any)
		if err != nil || i >= len(actions) {
			return fmt.Sprintf("a%d", i+1)
		}
		action, _ := actions[i].(map[string]any)
		id, _ := action["action_id"].(string)
		return id
	}
}
