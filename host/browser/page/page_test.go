package page

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
	"errand/policy"
)

// TestDecideFailsClosed checks that a missing policy, a panic and a timeout all refuse the
// request.
func TestDecideFailsClosed(t *testing.T) {
	tests := []struct {
		name string
		ask  func(policy.Request) policy.Decision
		want policy.Decision
	}{
		{"allows", func(policy.Request) policy.Decision { return policy.Decision{Verdict: policy.Allow, Rule: "r"} }, policy.Decision{Verdict: policy.Allow, Rule: "r"}},
		{"none", nil, policy.Decision{Rule: ruleNoPolicy, Reason: message.New("browser.no_policy")}},
		{"panics", func(policy.Request) policy.Decision { panic("oh") }, policy.Decision{Rule: ruleNoAnswer, Reason: message.New("browser.policy_failed", "cause", "oh")}},
		{
			"sleeps",
			func(policy.Request) policy.Decision {
				time.Sleep(time.Hour)
				return policy.Decision{Verdict: policy.Allow}
			},
			policy.Decision{Rule: ruleNoAnswer, Reason: message.New("browser.policy_timeout", "limit", decideTimeout)},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := decide(t.Context(), tt.ask, policy.Request{})
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("decision (-want +got):\n%s", diff)
				}
				time.Sleep(2 * time.Hour) // ends the sleeping decision
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d := decide(ctx, func(policy.Request) policy.Decision { select {} }, policy.Request{}); d.Verdict != policy.Deny {
		t.Errorf("decision after the browser's end = %v", d)
	}
}

func TestMayShow(t *testing.T) {
	for in, want := range map[string]bool{
		"https://a.example/": true, "http://a.example/": true, "about:blank": true, "": true, "chrome-error://chromewebdata/": true,
		"file:///etc/passwd": false, "data:text/html,x": false, "blob:https://a.example/1": false, "chrome://settings": false,
		"view-source:https://a.example/": false, "about:version": false, "about:blankety": false, "javascript:1": false,
	} {
		if got := isShowable(in); got != want {
			t.Errorf("mayShow(%q) = %t, want %t", in, got, want)
		}
	}
}
