package app

import (
	"strings"
	"testing"

	"errand/app/history"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/planner/plan"
)

// TestSeedSecrets: a secret in a goal is in no record, no answer and no export.
func TestSeedSecrets(t *testing.T) {
	t.Run("S3-T12 the value is replaced by its kind", func(t *testing.T) {
		const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
		a, _ := opened(t, Options{})
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder " + secret + " in documents"})
		must.Succeed(t, err)
		rec, err := a.Record(t.Context(), r.RunID)
		must.Succeed(t, err)
		written := must.JSON(t, rec)
		for _, format := range []string{history.FormatBundle, history.FormatOTLP} {
			b, err := a.Export(t.Context(), r.RunID, format)
			must.Succeed(t, err)
			written = append(written, b...)
		}
		if text := string(written); strings.Contains(text, secret) || !strings.Contains(rec.Goal, "create folder ") || len(rec.Steps) != 1 {
			t.Errorf("what is written down holds the secret, or nothing: %s", rec.Goal)
		}
	})
	t.Run("S4-H08 what is no page", func(t *testing.T) {
		a, _ := opened(t, Options{})
		for _, text := range []string{"open javascript:alert(1)", "open file:///c:/x"} {
			if in := a.Interpret(text); in.Status == "ok" {
				t.Errorf("%s is read as %+v", text, in.Goals)
			}
		}
		planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: "open http://127.0.0.1:8080"})
		if err != nil || planned.Result == nil || planned.Result.Status() != plan.Success {
			t.Fatalf("an address plans: %+v, %v", planned.Result, err)
		}
		p, _ := planned.Result.Plan()
		verdicts, err := a.Preview(t.Context(), p, "")
		if err != nil || verdicts[0].Decision.Verdict.String() != "deny" {
			t.Errorf("verdict %+v, %v", verdicts, err)
		}
	})
}
