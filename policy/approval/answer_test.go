package approval

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
	"errand/planner/plan"
)

func TestAnswered(t *testing.T) {
	over := succeed(t)(asking(t, name).Cancel(message.Verbatim("no")))
	tests := []struct {
		name         string
		draft        Draft
		after        int
		question, is string
		code         string
	}{
		{"a choice", asking(t, platform, name), 1, "platform", "google", ""},
		{"free text where it is allowed", asking(t, platform, name), 1, "name", "Reports 2026", ""},
		{"another answer", succeed(t)(asking(t, platform).Answer("platform", "google", t0)), 1, "platform", "youtube", ""},
		{"S2-H13 free text", asking(t, platform), 1, "platform", "bing", "not_a_choice"},
		{"the label of a choice", asking(t, platform), 1, "platform", "Google", "not_a_choice"},
		{"nothing", asking(t, name), 1, "name", " ", "not_a_choice"},
		{"what was not asked", asking(t, platform), 1, "name", "x", "no_question"},
		{"too late", asking(t, platform), 10, "platform", "google", "expired"},
		{"a draft that asks nothing", draft(t), 1, "platform", "google", "step"},
		{"a draft that has ended", over, 1, "name", "x", "step"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.Answer(tt.question, tt.is, minute(tt.after))
			if code(err) != tt.code {
				t.Fatalf("%v, want %q", err, tt.code)
			}
			var refused *RefusedError
			if errors.As(err, &refused) && tt.code == "not_a_choice" && (refused.Question == nil || refused.Question.ID != tt.question) {
				t.Errorf("the question is not shown again: %+v", refused.Question)
			}
			if (d.Answers[tt.question] == tt.is) != (tt.code == "") {
				t.Errorf("answers %v", d.Answers)
			}
			if err == nil && (d.State != StateBlocked || !d.Stale) {
				t.Errorf("%s, unread %v: a plan that was not made from the answer could be approved", d.State, d.Stale)
			}
		})
	}
}

func TestRevise(t *testing.T) {
	other := terms()
	other.PlanDigest, other.Actions[3].ArgsHash = hash("other"), hash("other")
	less := terms()
	less.Actions, less.Modules = less.Actions[:3], less.Modules[:2]
	ask := Terms{Questions: []plan.Question{name}}
	both := terms()
	both.Questions = []plan.Question{platform}
	partOf := func(ids ...string) Draft {
		return succeed(t)(applying(t, ids...).FinishApply(ids, message.Message{}, minute(3)))
	}
	failed := succeed(t)(applying(t).FinishApply([]string{"a1"}, message.Verbatim("a2 failed"), minute(3)))
	answered := succeed(t)(asking(t, platform, name).Answer("platform", "google", t0))
	tests := []struct {
		name  string
		draft Draft
		terms Terms
		after int
		code  string
		state State
		open  int
	}{
		{"an edit", draft(t), other, 1, "", StateDraft, 0},
		{"an approved one", approved(t), other, 2, "", StateDraft, 0},
		{"a failed one", failed, other, 4, "", StateDraft, 0},
		{"one action less", draft(t), less, 1, "", StateDraft, 0},
		{"an answered one", answered, terms(), 1, "", StateDraft, 0},
		{"a plan with an open question", draft(t), both, 1, "", StateBlocked, 1},
		{"a plan whose question was answered", answered, both, 1, "", StateDraft, 0},
		{"another question", answered, ask, 1, "", StateBlocked, 1},
		{"the same question again", answered, Terms{Questions: []plan.Question{platform, name}}, 1, "", StateBlocked, 2},
		{"no plan and no question", answered, Terms{}, 1, "error", StateBlocked, 1},
		{"without what is done", partOf("a4"), less, 4, "error", StateDraft, 0},
		{"with another action in place of what is done", partOf("a4"), other, 4, "error", StateDraft, 0},
		{"too late", draft(t), other, 10, "expired", StateExpired, 0},
		{"while it is applied", applying(t), other, 3, "step", StateApplying, 0},
		{"what has ended", succeed(t)(draft(t).Cancel(message.Verbatim("no"))), other, 3, "step", StateCancelled, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.Revise(tt.terms, minute(tt.after))
			if code(err) != tt.code || d.State != tt.state || len(d.Open()) != tt.open {
				t.Fatalf("%s with %d questions, %v; want %s with %d, %q", d.State, len(d.Open()), err, tt.state, tt.open, tt.code)
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
			if tt.code != "" {
				return
			}
			if d.ID != "d1" || d.Approval != nil || d.Stale || d.ExpiresAt != minute(tt.after).Add(TTL) || !cmp.Equal(d.Done, tt.draft.Done) {
				t.Errorf("revised to %+v", d)
			}
			if d.State == StateDraft && d.PlanDigest != tt.terms.PlanDigest {
				t.Error("the digest is not that of the new plan")
			}
		})
	}
	t.Run("S2-H14 answered, it goes on under its own id", func(t *testing.T) {
		d := succeed(t)(asking(t, platform).Answer("platform", "google", minute(1)))
		d = succeed(t)(d.Revise(Terms{Questions: []plan.Question{name}}, minute(2)))
		d = succeed(t)(d.Answer("name", "x", minute(3)))
		d = succeed(t)(d.Revise(terms(), minute(4)))
		if diff := cmp.Diff(map[string]string{"platform": "google", "name": "x"}, d.Answers); diff != "" || d.ID != "d1" || d.State != StateDraft {
			t.Errorf("%s %s (-want +got):\n%s", d.ID, d.State, diff)
		}
	})
	t.Run("what was rejected stays so", func(t *testing.T) {
		d := succeed(t)(draft(t).Reject("ann", t0, "a4"))
		d = succeed(t)(succeed(t)(d.Revise(less, minute(1))).Revise(other, minute(2)))
		if _, err := d.Approve(Answer{By: "ann", At: minute(3), PlanDigest: hash("other"), Actions: []string{"a4"}}); code(err) != "rejected" {
			t.Errorf("a new plan took the no back: %v", err)
		}
	})
}
