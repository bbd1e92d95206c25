package view

import (
	"encoding/json"
	"testing"

	"errand/build/must"
	"errand/planner/message"
)

// TestValueOf checks that only Errand's own messages get texts. JSON that looks like one is shown
// as JSON.
func TestValueOf(t *testing.T) {
	ours := message.New("replay.before", "step", "a1")
	tests := []struct {
		value any
		want  message.Message
	}{
		{nil, message.Message{}},
		{"text", message.Verbatim("text")},
		{12.5, message.Verbatim("12.5")},
		{ours, ours},
		{map[string]any{"msg": "window.status.done"}, message.Verbatim(`{"msg":"window.status.done"}`)},
		{[]any{map[string]any{"msg": "a.b"}}, message.Verbatim(`[{"msg":"a.b"}]`)},
	}
	for _, tt := range tests {
		if got := ValueOf(tt.value); !got.Equal(tt.want) {
			t.Errorf("%v is shown as %s, want %s", tt.value, got, tt.want)
		}
	}
}

// TestFirstPageCountsDestructiveSteps checks that the first part of a plan has the number of all
// steps that need a confirmation of their own.
func TestFirstPageCountsDestructiveSteps(t *testing.T) {
	for _, tt := range []struct {
		name        string
		total       int
		destructive []int
		shown       int
	}{
		{"none", 450, nil, MaxPlanSteps},
		{"only in the first part", 450, []int{0, 199}, MaxPlanSteps},
		{"only in later parts", 450, []int{200, 449}, MaxPlanSteps},
		{"in all parts", 601, []int{3, 250, 450, 600}, MaxPlanSteps},
		{"a short plan", 3, []int{1}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Plan{Steps: make([]Step, tt.total), Total: tt.total}
			for _, i := range tt.destructive {
				p.Steps[i].NeedsConfirmation = true
			}
			got := p.FirstPage()
			if got.Destructive != len(tt.destructive) || len(got.Steps) != tt.shown || len(p.Steps) != tt.total {
				t.Errorf("%d destructive, %d steps shown, %d left; want %d, %d, %d", got.Destructive, len(got.Steps), len(p.Steps), len(tt.destructive), tt.shown, tt.total)
			}
		})
	}
}

// TestMeans: what words mean by earlier goals is part of the view.
func TestMeans(t *testing.T) {
	says := message.New("follow_up.means", "words", "it", "thing", "~/a.txt", "age", 60)
	in, err := json.Marshal(map[string]any{"status": "ok", "follow_up": map[string]any{"says": []message.Message{says}}})
	must.Succeed(t, err)
	p, err := NewPlan("open it", in, nil)
	must.Succeed(t, err)
	if len(p.Means) != 1 || !p.Means[0].Equal(says) {
		t.Errorf("%+v", p.Means)
	}
	p, err = NewPlan("open a", []byte(`{"status":"ok"}`), nil)
	must.Succeed(t, err)
	if p.Means == nil || len(p.Means) != 0 {
		t.Errorf("%+v, want an empty list", p.Means)
	}
}
