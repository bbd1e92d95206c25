package plan

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
)

func action(id string, needs ...string) Action {
	return Action{
		ActionID: id, Tool: "files.create_folder", Args: map[string]any{"path": "/srv/a&b", "n": 2, "list": []string{"x"}},
		DependsOn: needs, ExpectedEffect: "folder_created", Reason: message.Verbatim("asked"), Preview: message.Verbatim("Create <b>"), Confidence: 1, IdempotencyScope: "s" + id,
	}
}

func content(actions ...Action) Content {
	c := Content{
		Origin: UserGoal, Domain: "files", Summary: message.Verbatim("Create"), Language: "en", Inputs: Inputs{RawText: "mkdir"}, Actions: actions,
		Entities:           []Entity{{Kind: "site", Query: "x", Candidates: []Candidate{{ID: "x"}}}},
		Modules:            []Module{{ID: "m", Actions: []string{"a1"}}},
		Risks:              []Risk{{Kind: Destructive, Details: message.Verbatim("d")}},
		NeedsClarification: []Question{{ID: "q", Choices: []Choice{{Label: message.Verbatim("l"), Value: "v"}}}},
	}
	if len(actions) > 0 {
		c.GoalAchievedBy = actions[len(actions)-1].ActionID
	}
	return c
}

func newPlan(t testing.TB, c Content) Plan {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return p
}

// TestContractViolations: what the GoalPlanner contract, section 10, calls a
// bug can't be constructed.
func TestContractViolations(t *testing.T) {
	with := func(change func(*Content), actions ...Action) Content {
		c := content(actions...)
		change(&c)
		return c
	}
	same := func(*Content) {}
	tests := []struct {
		name string
		c    Content
		want string
	}{
		{"S4-T9 no actions", content(), "at least one action"},
		{"S4-T9 achieved by a stranger", with(func(c *Content) { c.GoalAchievedBy = "a9" }, action("a1")), `"a9" is not one of the actions`},
		{"S4-T9 one id twice", content(action("a1"), action("a1")), `"a1" is used twice`},
		{"no id", content(action("")), "no action_id"},
		{"circle of one", content(action("a1", "a1")), "cycle"},
		{"S4-T9 a circle of two", content(action("a1", "a2"), action("a2", "a1")), "cycle"},
		{"depends on a stranger", content(action("a1", "a7")), `"a7", which does not exist`},
		{"no origin", with(func(c *Content) { c.Origin = "" }, action("a1")), `origin ""`},
		{"bad tool name", with(func(c *Content) { c.Actions[0].Tool = "rm -rf" }, action("a1")), `"rm -rf"`},
		{"long tool name", with(func(c *Content) { c.Actions[0].Tool = strings.Repeat("a", 65) }, action("a1")), "64"},
		{"confidence above one", with(func(c *Content) { c.Actions[0].Confidence = 1.5 }, action("a1")), "0..1"},
		{"S0-H47 confidence no number", with(func(c *Content) { c.Actions[0].Confidence = math.NaN() }, action("a1")), "0..1"},
		{"risk level", with(func(c *Content) { c.Actions[0].RiskLevel = "huge" }, action("a1")), `"huge"`},
		{"risk kind", with(func(c *Content) { c.Risks[0].Kind = "odd" }, action("a1")), `"odd"`},
		{"module with a stranger", with(func(c *Content) { c.Modules[0].Actions = []string{"a3"} }, action("a1")), `"a3" does not exist`},
		{"arguments that are no JSON", with(func(c *Content) { c.Actions[0].Args = map[string]any{"f": func() {}} }, action("a1")), "args"},
		{"an argument that is no number", with(func(c *Content) { c.Actions[0].Args["n"] = math.Inf(1) }, action("a1")), "n: +Inf"},
		{"an argument that would lose digits", with(func(c *Content) { c.Actions[0].Args["n"] = int64(1<<60 + 1) }, action("a1")), "1152921504606846977 is too large"},
		{"an argument that is no text", with(func(c *Content) { c.Actions[0].Args["path"] = "/a\xff" }, action("a1")), "not UTF-8"},
		{"a name that is no text", with(func(c *Content) { c.Actions[0].Args["list"] = map[string]any{"\xff": 1} }, action("a1")), "not UTF-8"},
		{"an id that is no text", content(action("a\xff")), "not UTF-8"},
		{"S0-H47 a voice surer than sure", with(func(c *Content) { c.Inputs.Voice = &Voice{Confidence: 2} }, action("a1")), "voice: confidence 2"},
		{"an entity surer than sure", with(func(c *Content) { c.Entities[0].Confidence = math.NaN() }, action("a1")), "confidence NaN"},
		{"a good one", with(same, action("a1"), action("a2", "a1")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.c)
			if got := errText(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("error = %q, want %q in it", got, tt.want)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return i18n.English().Error(err)
}

func TestPlanIsFrozen(t *testing.T) {
	c := content(action("a1"))
	p := newPlan(t, c)
	before := p.Digest()
	c.Actions[0].Args["path"] = "/etc"
	c.Risks[0].Details = message.Verbatim("changed")
	got := p.Content()
	got.Actions[0].Args["path"] = "/etc"
	got.Actions[0].Tool = "files.delete_folder"
	got.Modules[0].Actions[0] = "a9"
	if p.Digest() != before {
		t.Error("the plan changed with what it was made of or with a copy of it")
	}
}

// TestDigestCoversMessages: an approval ends if what a plan says changes: the code of a
// message or a parameter, however deep.
func TestDigestCoversMessages(t *testing.T) {
	step := func(path string) message.Message { return message.New("tool.files.create_folder", "path", path) }
	made := func(change func(*Content)) string {
		c := content(action("a1"))
		c.Summary = message.New("plan.several", "count", 1, "steps", []message.Message{step("/srv/a")})
		if change != nil {
			change(&c)
		}
		return newPlan(t, c).Digest()
	}
	seen := map[string]string{made(nil): "the plan"}
	for name, change := range map[string]func(*Content){
		"code": func(c *Content) { c.Summary.Code = "plan.other" },
		"number": func(c *Content) {
			c.Summary = message.New("plan.several", "count", 2, "steps", []message.Message{step("/srv/a")})
		},
		"message in a list": func(c *Content) {
			c.Summary = message.New("plan.several", "count", 1, "steps", []message.Message{step("/srv/b")})
		},
		"preview":  func(c *Content) { c.Actions[0].Preview = step("/srv/a") },
		"reason":   func(c *Content) { c.Actions[0].Reason = step("/srv/a") },
		"question": func(c *Content) { c.NeedsClarification[0].Question = step("/srv/a") },
		"label":    func(c *Content) { c.NeedsClarification[0].Choices[0].Label = step("/srv/a") },
		"risk":     func(c *Content) { c.Risks[0].Details = step("/srv/a") },
	} {
		digest := made(change)
		if other, taken := seen[digest]; taken {
			t.Errorf("%s: the digest is that of %s", name, other)
		}
		seen[digest] = name
	}
}

func TestDigestCoversAllButTheID(t *testing.T) {
	p := newPlan(t, content(action("a1")))
	c := p.Content()
	c.Actions[0].Args["path"] = "/other"
	q := newPlan(t, c)
	if p.ID() != q.ID() || p.Digest() == q.Digest() {
		t.Errorf("same words: ids %s and %s; other arguments: digests %s and %s", p.ID(), q.ID(), p.Digest(), q.Digest())
	}
	c.Inputs.RawText = "other words"
	if r := newPlan(t, c); r.ID() == p.ID() {
		t.Error("other words, same plan_id")
	}
}

func TestIntentIsDerived(t *testing.T) {
	c := content(action("a1"), action("a2"))
	c.Intent = Query
	if got := newPlan(t, c).Content().Intent; got != Mutate {
		t.Errorf("intent = %s, want mutate: not every action only reads", got)
	}
	c.Actions[0].ReadOnly, c.Actions[1].ReadOnly = true, true
	if got := newPlan(t, c).Content().Intent; got != Query {
		t.Errorf("intent = %s, want query", got)
	}
}

func TestUnmarshalRefusesContradictions(t *testing.T) {
	good := must.JSON(t, newPlan(t, content(action("a1"))))
	tests := []struct{ name, old, new, want string }{
		{"S4-T9 wrong total", `"total_actions":1`, `"total_actions":2`, "total_actions is 2"},
		{"wrong intent", `"intent":"mutate"`, `"intent":"query"`, "contradicts"},
		{"wrong id", `"plan_id":"p-`, `"plan_id":"q-`, "plan_id"},
		{"unknown field", `"origin"`, `"sudo":true,"origin"`, "sudo"},
		{"S0-H31 a circle of dependencies", `"depends_on":[]`, `"depends_on":["a1"]`, "cycle"},
		{"S0-H47 a confidence beyond one", `"confidence":1`, `"confidence":1.2`, "0..1"},
		{"S0-H47 a confidence below nothing", `"confidence":1`, `"confidence":-0.1`, "0..1"},
		{"an argument that would lose digits", `"n":2`, `"n":9007199254740993`, "9007199254740993 is too large"},
		{"an argument without end", `"n":2`, `"n":1e999`, "1e999"},
		{"unknown goal action", `"goal_achieved_by":"a1"`, `"goal_achieved_by":"a2"`, "not one of the actions"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Plan
			err := json.Unmarshal(bytes.Replace(good, []byte(tt.old), []byte(tt.new), 1), &p)
			if err == nil || !strings.Contains(i18n.English().Error(err), tt.want) || !p.IsZero() {
				t.Errorf("error = %v, want %q in it and no plan", err, tt.want)
			}
		})
	}
}

func TestZeroValuesRefuse(t *testing.T) {
	if _, err := json.Marshal(Plan{}); err == nil {
		t.Error("the zero plan marshals")
	}
	if _, err := json.Marshal(Result{}); err == nil {
		t.Error("the zero result marshals")
	}
	t.Run("S4-H20 a goal type outside of the closed set", func(t *testing.T) {
		var g Goal
		if err := json.Unmarshal([]byte(`{"goal_type":"dance"}`), &g); err == nil || !strings.Contains(i18n.English().Error(err), "dance") {
			t.Errorf("read as %+v, %v", g, err)
		}
	})
}

func TestGoalJSON(t *testing.T) {
	g := Goal{GoalType: BrowserSearch, Platform: "youtube", Query: "a & b", GoalID: "g1"}
	const want = `{"goal_type":"browser_search","platform":"youtube","query":"a & b","target":null,"action":null,"object_type":null,"goal_id":"g1"}`
	b, err := message.EncodeJSON(g)
	if err != nil || string(b) != want {
		t.Fatalf("marshal = %s (%v), want %s", b, err, want)
	}
	var back Goal
	if err := json.Unmarshal(b, &back); err != nil || back != g {
		t.Errorf("unmarshal = %+v (%v), want %+v", back, err, g)
	}
}

func TestResultJSON(t *testing.T) {
	p := newPlan(t, content(action("a1")))
	tests := []struct {
		name string
		r    Result
		want string
	}{
		{"satisfied", NewSatisfied(message.Verbatim("holds")), `{"status":"already_satisfied","plan":null,"reason":"holds","unmet":[],"proof":null}`},
		{"blocked", BlockedBy(message.Verbatim("no key"), []string{"key"}), `{"status":"blocked","plan":null,"reason":"no key","unmet":["key"],"proof":null}`},
		{"no tool", Incapable(message.New("planning.none"), []string{"x"}), `{"status":"no_capability","plan":null,"reason":{"msg":"planning.none"},"unmet":["x"],"proof":null}`},
		{"success", NewSuccess(p, Proof{Kind: BySearch}), `"unmet":[],"proof":{"kind":"search"}}`},
		{"partial", PartlySucceeded(p, message.New("planning.rest", "count", 1), []string{"y"}, Proof{Kind: ByCuts, Cuts: [][]string{{"t"}}}), `"reason":{"msg":"planning.rest","params":{"count":1}},"unmet":["y"],"proof":{"kind":"cuts","cuts":[["t"]]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := json.Marshal(tt.r)
			if err != nil || !strings.HasSuffix(string(b), tt.want) {
				t.Errorf("marshal = %s (%v), want …%s", b, err, tt.want)
			}
		})
	}
	got, ok := NewSuccess(p, Proof{}).Plan()
	if !ok || got.Digest() != p.Digest() {
		t.Error("the result has another plan")
	}
}

func TestNewGoalSet(t *testing.T) {
	one, two := Goal{GoalID: "g1"}, Goal{GoalID: "g2"}
	tests := []struct {
		name  string
		goals []Goal
		deps  map[string][]string
		want  SetKind
	}{
		{"single", []Goal{one}, nil, Single},
		{"independent", []Goal{one, two}, map[string][]string{"g2": {}}, IndependentMulti},
		{"dependent", []Goal{one, two}, map[string][]string{"g2": {"g1"}}, DependentMulti},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewGoalSet(tt.goals, tt.deps); got.Kind != tt.want || len(got.Goals) != len(tt.goals) {
				t.Errorf("NewGoalSet = %+v, want kind %s", got, tt.want)
			}
		})
	}
}

func TestWorldFacts(t *testing.T) {
	w := World{BrowserRunning: true, ActiveWindow: "chrome", RunningApps: []string{"spotify", "chrome"}, RecentFacts: []string{"exists:/a", "browser_running"}}
	want := []string{"app_running:chrome", "app_running:spotify", "browser_running", "exists:/a", "window_active:chrome"}
	if diff := cmp.Diff(want, w.Facts()); diff != "" {
		t.Errorf("Facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"exists:/a", "browser_running"}, w.RecentFacts); diff != "" {
		t.Errorf("the world was changed (-want +got):\n%s", diff)
	}
}

// FuzzPlanJSON: what is read as a plan is written as the same plan, and reads
// as it again.
func FuzzPlanJSON(f *testing.F) {
	for _, c := range []Content{content(action("a1")), content(action("a1"), action("a2", "a1"))} {
		b := must.JSON(f, newPlan(f, c))
		f.Add(b)
	}
	f.Add([]byte(`{"actions":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Plan
		if json.Unmarshal(data, &p) != nil {
			return
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("marshal what was read: %v", err)
		}
		var q Plan
		if err := json.Unmarshal(b, &q); err != nil {
			t.Fatalf("read what was written: %v\n%s", err, b)
		}
		if diff := cmp.Diff(string(p.CanonicalJSON()), string(q.CanonicalJSON())); diff != "" || p.Digest() != q.Digest() {
			t.Errorf("read ∘ write is not the identity (-first +second):\n%s", diff)
		}
	})
}

// FuzzMadePlan: a plan that could be made can be written, and what is written
// reads as the same plan, whatever texts and numbers it was made of.
func FuzzMadePlan(f *testing.F) {
	f.Add("open youtube", "path", "/srv/a&b", 1.5, int64(3), 0.9)
	f.Add("a\xffb\u2028", "\xff", "\x00<", math.NaN(), int64(1)<<60+1, math.Inf(1))
	f.Add("", "", "кошки", math.Copysign(0, -1), int64(-1)<<53, math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, text, name, value string, number float64, whole int64, confidence float64) {
		c := content(action("a1"), action("a2", "a1"))
		said := message.New("plan.x", "text", value, "number", number, "list", []any{whole, message.Verbatim(text), message.New("plan.y", "text", text, "number", confidence)})
		c.Summary, c.Language, c.Inputs = message.Verbatim(text), name, Inputs{RawText: text, Voice: &Voice{FileID: name, Transcript: value, Confidence: confidence}}
		c.Actions[0].Args = map[string]any{name: value, "number": number, "list": []any{whole, map[string]any{"in": value}}}
		c.Actions[1].Preview, c.Actions[1].Reason, c.Risks[0].Details, c.Modules[0].ContextRefs = message.Verbatim(text), said, message.Verbatim(text), []string{text}
		c.Entities[0].Query, c.Entities[0].Confidence, c.NeedsClarification[0].Choices[0].Label = value, confidence, message.Verbatim(text)
		p, err := New(c)
		if err != nil {
			return
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("marshal what was made: %v", err)
		}
		var q Plan
		if err := json.Unmarshal(b, &q); err != nil {
			t.Fatalf("read what was written: %v\n%s", err, b)
		}
		if diff := cmp.Diff(p.Content(), q.Content()); diff != "" || p.ID() != q.ID() || p.Digest() != q.Digest() {
			t.Errorf("parse ∘ marshal is not the identity (-made +read):\n%s", diff)
		}
	})
}

func TestArgumentsBecomePlainJSON(t *testing.T) {
	c := content(action("a1"))
	c.Actions[0].Args = map[string]any{"n": 1, "l": []any{"x", map[string]any{"y": []int{1}}}, "none": nil}
	want := map[string]any{"n": 1.0, "l": []any{"x", map[string]any{"y": []any{1.0}}}, "none": nil}
	if diff := cmp.Diff(want, newPlan(t, c).Actions()[0].Args); diff != "" {
		t.Errorf("args (-want +got):\n%s", diff)
	}
	c.Actions[0].Args = map[string]any{"l": []any{func() {}}}
	if _, err := New(c); err == nil {
		t.Error("a function was accepted as an argument")
	}
}

func TestAmbiguousError(t *testing.T) {
	if got := i18n.English().Error(&AmbiguousError{}); got != "the goal is ambiguous" {
		t.Errorf("Error = %q", got)
	}
	err := &AmbiguousError{Questions: []Question{{Question: message.Verbatim("Which app?")}}}
	if got := i18n.English().Error(err); got != "the goal is ambiguous: Which app?" {
		t.Errorf("Error = %q", got)
	}
}

func TestPlanSaysWhereItCameFrom(t *testing.T) {
	p := newPlan(t, content(action("a1")))
	if p.Origin() != UserGoal || p.GoalAchievedBy() != "a1" || p.Len() != 1 || p.IsZero() || !(Plan{}).IsZero() {
		t.Errorf("origin %s, achieved by %s, %d actions", p.Origin(), p.GoalAchievedBy(), p.Len())
	}
}

// TestShortHash has hashes that begin like the number of a payment card.
func TestShortHash(t *testing.T) {
	for _, tt := range []struct{ hash, want string }{
		{"05d024d590234d77aaaa", "05d024d590234d77"},
		{"4111111111111111abcd0123456789ef", "111111111111abcd"},
		{"ab4111111111111111cd0123456789ef", "111111111111cd01"},
		{"0123456789012", "0123456789012"},
	} {
		if got := ShortHash(tt.hash); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.hash, got, tt.want)
		}
	}
}
