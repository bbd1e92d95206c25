package planner

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/app/i18n"
	"errand/planner/message"
	"errand/planner/plan"
)

func TestWholePlan(t *testing.T) {
	r := request(
		search("youtube", "кошки"), launch("notepad"), file("delete", "file", "~/a.txt"),
		file("create", "folder", "~/b"), ask("time"),
	)
	r.Language, r.Text = "ru", "слова"
	r.Voice = &plan.Voice{FileID: "v1", Transcript: "слова", Confidence: 0.5}
	p, _ := planFor(t, r).Plan()
	c := p.Content()
	c.Actions = nil
	want := plan.Content{
		Origin: plan.UserGoal, Intent: plan.Mutate, Domain: "mixed", Language: "ru",
		Summary: message.New("plan.several", "previews", []message.Message{
			message.New("plan.search", "query", "кошки", "site", "YouTube"), message.New("plan.start_app", "app", "Notepad"),
			message.New("plan.delete_file", "path", "~/a.txt"), message.New("plan.create_folder", "path", "~/b"), message.New("plan.tell", "target", "time"),
		}),
		Inputs: plan.Inputs{RawText: "слова", Voice: r.Voice},
		Entities: []plan.Entity{
			{Kind: "site", Query: "youtube", SelectedID: "youtube", Confidence: 1, Candidates: []plan.Candidate{{ID: "youtube", Name: "YouTube", URL: "https://youtube.com/"}}},
			{Kind: "app", Query: "notepad", SelectedID: "notepad", Confidence: 1, Candidates: []plan.Candidate{{ID: "notepad", Name: "Notepad"}}},
		},
		NeedsClarification: []plan.Question{{
			ID: "voice", Question: message.New("question.heard", "transcript", "слова"), FreeTextAllowed: true,
			Choices: []plan.Choice{{Label: message.New("question.choice_yes"), Value: "yes"}, {Label: message.New("question.choice_no"), Value: "no"}},
		}},
		Risks: []plan.Risk{
			{Kind: plan.Bulk, Details: message.New("plan.risk_bulk", "count", 5)},
			{Kind: plan.Destructive, Details: message.New("plan.risk_deletes", "items", []string{"~/a.txt"})},
			{Kind: plan.Ambiguous, Details: message.New("plan.risk_unsure", "percent", 50)},
		},
		GoalAchievedBy: "a5",
	}
	if diff := cmp.Diff(want, c, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	said := []string{
		"Найти «кошки» на YouTube; Запустить Notepad; Удалить файл ~/a.txt; Создать папку ~/b; Сообщить время",
		"Вы сказали «слова»?", "5 действий за один раз", "будет удалено: ~/a.txt", "слова распознаны с уверенностью 50 %",
	}
	for i, m := range []message.Message{c.Summary, c.NeedsClarification[0].Question, c.Risks[0].Details, c.Risks[1].Details, c.Risks[2].Details} {
		if got := i18n.ForTag("ru").Text(m); got != said[i] {
			t.Errorf("%v in Russian is %q, want %q", m, got, said[i])
		}
	}
	levels := map[string]plan.RiskLevel{}
	for _, a := range p.Actions() {
		levels[a.Tool] = a.RiskLevel
	}
	if levels["files.delete_file"] != plan.High || levels["files.create_folder"] != plan.Low {
		t.Errorf("risk levels = %v", levels)
	}
}

func TestRefusedGoalIsARisk(t *testing.T) {
	p, _ := planFor(t, request(file("create", "folder", "notes"), ask("time"))).Plan()
	risks := p.Content().Risks
	if len(risks) != 1 || risks[0].Kind != plan.MissingRequired || !risks[0].Details.Equal(message.New("reason.relative_path", "path", "notes")) {
		t.Errorf("risks = %v, want one about the path that is missing", risks)
	}
}

func TestReadOnlyPlanIsAQuery(t *testing.T) {
	p, _ := planFor(t, request(ask("time"))).Plan()
	if c := p.Content(); c.Intent != plan.Query || c.Domain != "system" {
		t.Errorf("intent %s, domain %s", c.Intent, c.Domain)
	}
}

// TestSameBytesAtOnce: planning many times at once, with the tools and the
// facts in any order, gives one answer, and leaves the world as it was.
func TestSameBytesAtOnce(t *testing.T) {
	r := request(visit("youtube"), search("", "a"), file("create", "file", "/srv/x/a.txt"), file("create", "folder", "/srv/x"), ask("time"))
	r.World = plan.World{BrowserRunning: true, RunningApps: []string{"spotify", "notepad"}, RecentFacts: []string{"b", "a"}}
	world := plan.World{BrowserRunning: true, RunningApps: []string{"spotify", "notepad"}, RecentFacts: []string{"b", "a"}}
	want := marshal(t, planFor(t, r))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				q := r
				q.Capabilities = slices.Clone(r.Capabilities)
				if i%2 == 1 {
					slices.Reverse(q.Capabilities)
				}
				got, err := planner.Plan(q)
				if err != nil {
					t.Errorf("Plan: %v", err)
					return
				}
				if b, err := plan.Canonical(got); err != nil || string(b) != want {
					t.Errorf("another answer: %s (%v)", b, err)
					return
				}
			}
		})
	}
	wg.Wait()
	t.Run("S4-T8 the world is as it was", func(t *testing.T) {
		if diff := cmp.Diff(world, r.World); diff != "" {
			t.Errorf("the world was changed (-want +got):\n%s", diff)
		}
	})
}
