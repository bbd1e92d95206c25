package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/app/planning"
	"errand/build/must"
	"errand/planner/plan"
	"errand/policy"
)

// TestGoalExamples checks that the interpreter understands each goal of `errand help goals`, in
// each language, and that there is one of each type.
func TestGoalExamples(t *testing.T) {
	for _, tag := range i18n.Tags() {
		t.Run(tag, func(t *testing.T) { testGoalExamples(t, i18n.ForTag(tag).Say("help.goals.long")) })
	}
}

func testGoalExamples(t *testing.T, goalExamples string) {
	p := sit(t)
	var lines bytes.Buffer
	goals := 0
	for line := range strings.Lines(goalExamples) {
		goal, indented := strings.CutPrefix(line, "  ")
		if !indented {
			continue
		}
		goals++
		testAllowed(t, p.env, strings.TrimSpace(goal))
		must.Succeed(t, json.NewEncoder(&lines).Encode(map[string]string{"text": strings.TrimSpace(goal)}))
	}
	asked := strings.Split(lines.String(), "\n")
	var out, errs bytes.Buffer
	if code := Main(t.Context(), System{Args: []string{"plan", "--jsonl"}, Env: p.env, Stdin: &lines, Stdout: &out, Stderr: &errs}); code != 0 || goals < 20 {
		t.Fatalf("%d goals, exit %d: %s", goals, code, errs.String())
	}
	missing := map[plan.GoalType]bool{}
	for _, kind := range plan.GoalTypes() {
		missing[kind] = true
	}
	for n, d := 0, json.NewDecoder(&out); d.More(); n++ {
		var got struct {
			Interpretation planning.Interpretation
			Result         *struct{ Status plan.Status }
		}
		must.Succeed(t, d.Decode(&got))
		if got.Interpretation.Status != "ok" || got.Result == nil || got.Result.Status != plan.Success {
			t.Errorf("%s: %s, %+v", asked[n], got.Interpretation.Status, got.Result)
		}
		for _, g := range got.Interpretation.Goals {
			delete(missing, g.GoalType)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no example of %v", missing)
	}
}

// testAllowed checks that the default policy permits a goal as it is printed. It may need
// approval, but no other host.
func testAllowed(t *testing.T, env []string, goal string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(t.Context(), System{Args: []string{"policy", "explain", "--json", "--goal", goal}, Env: env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	var got struct {
		Checks []struct{ Verdict, Rule string }
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Checks) == 0 {
		t.Errorf("%s: exit %d: %s%s", goal, code, out.String(), errs.String())
	}
	for _, c := range got.Checks {
		if c.Verdict == "deny" || c.Verdict == "ask" && c.Rule == policy.RuleUnlisted {
			t.Errorf("%s: %s by %s", goal, c.Verdict, c.Rule)
		}
	}
}
