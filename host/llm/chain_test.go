package llm_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"errand/host/llm"
	"errand/host/tool"
)

// scripted fails as its list says, "" being an answer, and answers when the list is over.
type scripted struct {
	name  string
	fails []llm.Failure
	asked *[]string
}

func (s *scripted) Name() string                             { return s.name }
func (s *scripted) Model() string                            { return "m" }
func (s *scripted) Models(context.Context) ([]string, error) { return nil, nil }

func (s *scripted) Complete(ctx context.Context, _ llm.Request) (llm.Turn, error) {
	*s.asked = append(*s.asked, s.name)
	if err := ctx.Err(); err != nil {
		return llm.Turn{}, err
	}
	if len(s.fails) == 0 {
		return llm.Turn{Provider: s.name, Text: "hello", Usage: llm.Usage{In: -7, Out: 3}}, nil
	}
	f := s.fails[0]
	s.fails = s.fails[1:]
	f.Provider = s.name
	return llm.Turn{}, &f
}

var (
	busy     = llm.Failure{Reason: llm.Transient, Status: 503}
	wait5    = llm.Failure{Reason: llm.Transient, Status: 429, RetryAfter: 5 * time.Second}
	waitLong = llm.Failure{Reason: llm.Transient, Status: 429, RetryAfter: 21 * time.Second}
	badKey   = llm.Failure{Reason: llm.Unauthorized, Status: 401}
	bad      = llm.Failure{Reason: llm.Rejected, Status: 400}
	blocked  = llm.Failure{Reason: llm.Blocked}
)

func TestChain(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b        []llm.Failure
		want        string // who is asked, and who answers
		least, most time.Duration
	}{
		"the first answers":                   {nil, nil, "a: a", 0, 0},
		"repeated once":                       {[]llm.Failure{busy}, nil, "a a: a", 500 * time.Millisecond, 750 * time.Millisecond},
		"repeated after the time asked for":   {[]llm.Failure{wait5}, nil, "a a: a", 5 * time.Second, 5 * time.Second},
		"rotated after two failures":          {[]llm.Failure{busy, busy}, nil, "a a b: b", 500 * time.Millisecond, 750 * time.Millisecond},
		"rotated at once after a long wait":   {[]llm.Failure{waitLong}, nil, "a b: b", 0, 0},
		"a long wait in the repetition":       {[]llm.Failure{busy, waitLong}, nil, "a a b: b", 500 * time.Millisecond, 750 * time.Millisecond},
		"each provider once a turn":           {[]llm.Failure{busy, busy, busy}, []llm.Failure{busy, busy, busy}, "a a b b: -", time.Second, 1500 * time.Millisecond},
		"a refused key ends the turn":         {[]llm.Failure{badKey}, nil, "a: -", 0, 0},
		"a refused request ends the turn":     {[]llm.Failure{bad}, nil, "a: -", 0, 0},
		"a blocked address ends the turn":     {[]llm.Failure{blocked}, nil, "a: -", 0, 0},
		"a refused key after a failure":       {[]llm.Failure{busy, badKey}, nil, "a a: -", 500 * time.Millisecond, 750 * time.Millisecond},
		"the second provider refuses the key": {[]llm.Failure{busy, busy}, []llm.Failure{badKey}, "a a b: -", 500 * time.Millisecond, 750 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				attempts := 0
				c := llm.Chain{Adapters: []llm.Adapter{&scripted{"a", tt.a, &asked}, &scripted{"b", tt.b, &asked}}, Attempted: func(a llm.Attempt) {
					if attempts++; a.Usage.In != 0 {
						t.Errorf("tokens are negative: %+v", a)
					}
				}}
				start := time.Now()
				turn, err := c.Complete(t.Context(), 1, llm.Request{})
				answered := turn.Provider
				if err != nil {
					answered = "-"
				}
				if got := strings.Join(asked, " ") + ": " + answered; got != tt.want || attempts != len(asked) {
					t.Errorf("asked %s with %d attempts, want %s (%v)", got, attempts, tt.want, err)
				}
				if d := time.Since(start); d < tt.least || d > tt.most {
					t.Errorf("it took %s, want %s to %s", d, tt.least, tt.most)
				}
				if e := tool.AsError(err); err != nil && (e.Code != llm.CodeProviderError || e.Class != tool.ToolUnavailable || len(e.Details) == 0) {
					t.Errorf("error = %+v", e)
				}
			})
		})
	}
}

// TestChainGoesOn checks that a turn begins with the provider that answered last, that the
// error of all providers has a line for each, and that a caller's end is no failure.
func TestChainGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		a, b := &scripted{"a", []llm.Failure{waitLong}, &asked}, &scripted{"b", nil, &asked}
		c := llm.Chain{Adapters: []llm.Adapter{a, b}}
		for turn := range 2 {
			if _, err := c.Complete(t.Context(), turn+1, llm.Request{}); err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{"a", "b", "b"}; !slices.Equal(asked, want) {
			t.Errorf("asked %q, want %q", asked, want)
		}
		a.fails, b.fails = []llm.Failure{waitLong}, []llm.Failure{waitLong}
		if _, err := c.Complete(t.Context(), 3, llm.Request{}); len(tool.AsError(err).Details) != 2 {
			t.Errorf("error = %+v", tool.AsError(err))
		}
		a.fails, b.fails = []llm.Failure{busy, busy}, []llm.Failure{busy, busy}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := c.Complete(ctx, 4, llm.Request{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after the caller's deadline: %v", err)
		}
		if _, err := (&llm.Chain{}).Complete(t.Context(), 1, llm.Request{}); tool.AsError(err).Code != "agent_no_provider" {
			t.Errorf("without providers: %v", err)
		}
	})
}

// boasting says too much about its answer.
type boasting struct{ scripted }

func (b *boasting) Complete(context.Context, llm.Request) (llm.Turn, error) {
	long := strings.Repeat("ж", 1<<20)
	return llm.Turn{Model: long, Finish: llm.Finish(long), Text: "hello", Usage: llm.Usage{In: math.MaxInt, Out: math.MinInt}}, nil
}

// TestBoundedNotes: what a provider says about its answer has bounds where it is counted and recorded.
func TestBoundedNotes(t *testing.T) {
	var asked []string
	var sum int
	c := llm.Chain{Adapters: []llm.Adapter{&boasting{scripted{name: "a", asked: &asked}}}, Attempted: func(a llm.Attempt) {
		sum += a.Usage.In + a.Usage.Out
		if len(a.Model) > 1000 || len(a.Finish) > 1000 || !utf8.ValidString(a.Model) {
			t.Errorf("%d and %d bytes", len(a.Model), len(a.Finish))
		}
	}}
	for turn := range 3 {
		if _, err := c.Complete(t.Context(), turn, llm.Request{}); err != nil {
			t.Error(err)
		}
	}
	if sum <= 0 || sum > 1<<40 {
		t.Errorf("%d tokens", sum)
	}
}
