package agent_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/agent"
	"errand/host/llm"
	"errand/host/run"
)

// TestPartial checks that the text of an answer is shown sentence by sentence, without secrets, not too
// often, and that another request begins anew. The answer itself is whole.
func TestPartial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown []string
		p := agent.New(agent.Options{
			Task: "say it", Clean: hide("hidden"),
			Ask: func(_ context.Context, _ int, r llm.Request) (llm.Turn, error) {
				say := func(wait time.Duration, text string) {
					time.Sleep(wait)
					r.Partial(text)
				}
				say(0, "The fir")
				say(0, "The first. The sec")
				say(time.Millisecond, "The first. The second. And") // too soon
				say(time.Second, "The first. The second. And a hidden. The")
				say(time.Second, "The first. The second. And a hidden. The password")
				say(time.Second, "Again. And")
				say(time.Second, strings.Repeat("Too long. ", 10_000))
				return llm.Turn{Text: "Again. And that is all."}, nil
			},
			Partial: func(turn int, text string) {
				if turn != 1 {
					t.Errorf("turn %d", turn)
				}
				shown = append(shown, text)
			},
		})
		got, err := p.Plan(t.Context(), &run.RunContext{})
		must.Succeed(t, err)
		if got.Respond == nil || *got.Respond != "Again. And that is all." {
			t.Errorf("answer = %+v", got)
		}
		for i, text := range shown {
			if strings.Contains(text, "a hidden") {
				t.Errorf("part %d has a secret: %q", i, text)
			}
			shown[i] = strings.SplitN(text, " And", 2)[0]
		}
		if want := []string{"The first.", "The first. The second.", "Again."}; !reflect.DeepEqual(shown, want) {
			t.Errorf("shown %q, want %q", shown, want)
		}
	})
}
