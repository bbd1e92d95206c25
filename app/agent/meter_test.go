package agent_test

import (
	"math"
	"testing"
	"time"

	"errand/app/agent"
	"errand/build/must"
	host "errand/host/agent"
	"errand/host/llm"
	"errand/host/llm/llmtest"
	"errand/host/tool"
)

// TestDayLimit checks that programs count the tokens of a day together, that nothing is asked at the
// limit, and that the next day begins with none.
func TestDayLimit(t *testing.T) {
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Text: "Hello!", Usage: llm.Usage{In: 60, Out: 40}}, llmtest.Answer{Text: "Hello!", Usage: llm.Usage{In: -5000, Out: 150}}))
	home := t.TempDir()
	now := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
	program := func() *agent.Providers {
		p := openIn(t, home, "HOME="+home, "OPENAI_API_KEY="+key, "ERRAND_LLM_OPENAI_BASE_URL="+server.BaseURL("openai"), "ERRAND_AGENT_INTERNAL_MAX_TOKENS_PER_DAY=250")
		p.Now = func() time.Time { return now }
		return p
	}
	ask := func(p *agent.Providers, want string) {
		t.Helper()
		answers, err := p.Test(t.Context(), "openai")
		must.Succeed(t, err)
		code := ""
		if answers[0].Error != nil {
			code = answers[0].Error.Code
		}
		if code != want {
			t.Errorf("the answer is %+v, want the code %q", answers[0], want)
		}
	}
	one, other := program(), program()
	ask(one, "")
	ask(other, "") // 100 and 150: what a provider takes back does not count
	ask(one, host.CodeTokenBudget)
	ask(program(), host.CodeTokenBudget)
	if n := len(server.Received()); n != 2 {
		t.Errorf("%d requests were sent, want 2", n)
	}
	status, err := other.Status(t.Context())
	must.Succeed(t, err)
	if got := status.Today; got.Day != "2026-03-01" || got.TokensIn != 60 || got.TokensOut != 190 || got.Limit != 250 || len(got.Models) != 1 || got.Models[0].Requests != 2 || got.Models[0].Unpriced != 2 {
		t.Errorf("today: %+v", got)
	}
	now = now.Add(2 * time.Hour)
	ask(one, "")
	status, err = one.Status(t.Context())
	must.Succeed(t, err)
	if got := status.Today; got.Day != "2026-03-02" || got.TokensOut != 150 {
		t.Errorf("the next day: %+v", got)
	}
}

// TestUsageOfAnySize checks that the counts of a day can be added up, whatever a provider reports.
func TestUsageOfAnySize(t *testing.T) {
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Text: "Hello!", Usage: llm.Usage{In: math.MaxInt, Out: math.MaxInt}}, llmtest.Answer{Text: "Hello!", Usage: llm.Usage{In: math.MaxInt, Out: 1}}))
	p := open(t, "OPENAI_API_KEY="+key, "ERRAND_LLM_OPENAI_BASE_URL="+server.BaseURL("openai"), "ERRAND_AGENT_INTERNAL_MAX_TOKENS_PER_DAY=0")
	for range 2 {
		answers, err := p.Test(t.Context(), "openai")
		must.Succeed(t, err)
		if answers[0].Error != nil {
			t.Errorf("the answer is %+v", answers[0])
		}
	}
	status, err := p.Status(t.Context())
	must.Succeed(t, err)
	if got := status.Today; got.TokensIn != 2_000_000_000 || got.TokensOut != 1_000_000_001 {
		t.Errorf("today: %+v", got)
	}
}

// TestUncounted checks that an answer whose tokens can't be counted is an error: without the counts
// there is no limit.
func TestUncounted(t *testing.T) {
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Text: "Hello!"}))
	p := open(t, "OPENAI_API_KEY="+key, "ERRAND_LLM_OPENAI_BASE_URL="+server.BaseURL("openai"))
	s, err := p.Store()
	must.Succeed(t, err)
	must.Succeed(t, s.Close())
	answers, err := p.Test(t.Context(), "openai")
	must.Succeed(t, err)
	if e := answers[0].Error; e == nil || e.Code == llm.CodeProviderError || e.Class == tool.ValidationError {
		t.Errorf("the answer is %+v", answers[0])
	}
	if n := len(server.Received()); n != 0 {
		t.Errorf("%d requests were sent, want none", n)
	}
}
