package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"errand/app/cli/print"
	"errand/build/poll"
	"errand/host/llm"
	"errand/host/llm/llmtest"
	"errand/host/llm/ollama"
)

// liveOutput is a terminal's output, which may be read while a command runs.
type liveOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *liveOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *liveOutput) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestAnswerComesInParts checks for each protocol that a terminal shows an answer while it comes, once,
// without a secret that comes in two pieces, and that the record has it whole. A script gets it at the
// end, and nothing is streamed.
func TestAnswerComesInParts(t *testing.T) {
	const key = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH"
	const text = "I begin with this sentence. The key is " + key + " in it. That is all."
	for _, provider := range []string{"openai", "anthropic", ollama.Name} {
		t.Run(provider, func(t *testing.T) {
			goOn := make(chan struct{})
			u := withAgent(t, func(string) []llmtest.Answer { return nil }, "ERRAND_AGENT_INTERNAL_PROVIDERS="+provider,
				"OPENAI_API_KEY=key-of-this-test-01", "ANTHROPIC_API_KEY=key-of-this-test-01")
			u.models = llmtest.Start(t, func(int, llmtest.Received) llmtest.Answer {
				return llmtest.Answer{Text: text, Usage: llm.Usage{In: 5, Out: 6}, Stall: stallAfter(provider), Resume: goOn}
			})
			u.env = append(u.env, "ERRAND_LLM_OPENAI_BASE_URL="+u.models.BaseURL("openai"), "ERRAND_LLM_ANTHROPIC_BASE_URL="+u.models.URL, "ERRAND_LLM_OLLAMA_BASE_URL="+u.models.URL)
			var shown liveOutput
			code := make(chan int)
			go func() {
				code <- Main(t.Context(), System{
					Args: []string{"ask", "say it"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &shown, Stderr: &shown, Terminal: true, TerminalErr: true,
				})
			}()
			poll.Await(t, "the first sentence", func() bool { return strings.Contains(shown.String(), "I begin with this sentence.") })
			if got := shown.String(); strings.Contains(got, "That is all") || strings.Contains(got, "sk-p") {
				t.Errorf("shown in the middle of the answer: %q", got)
			}
			close(goOn)
			if got := <-code; got != int(print.Done) {
				t.Fatalf("exit %d:\n%s", got, shown.String())
			}
			got := shown.String()
			if strings.Count(got, "I begin") != 1 || strings.Count(got, "That is all.") != 1 || strings.Contains(got, key[:20]) {
				t.Errorf("shown:\n%s", got)
			}
			sent := len(u.models.Received())
			if body := u.told(); !strings.Contains(body, `"stream":true`) {
				t.Errorf("no stream was asked for: %s", body)
			}
			exit, r := u.does(t, "ask", "say it")
			if exit != int(print.Done) || strings.Contains(u.told(), `"stream":true`) || len(u.models.Received()) != sent+1 {
				t.Errorf("a script: exit %d, %+v, sent %s", exit, r, u.told())
			}
			var record bytes.Buffer
			Main(t.Context(), System{Args: []string{"show", "last", "--verbose"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &record, Stderr: &record})
			if !strings.Contains(record.String(), "I begin with this sentence.") || strings.Contains(record.String(), key[:20]) {
				t.Errorf("the record:\n%s", record.String())
			}
		})
	}
}

// stallAfter is how much of a stream comes at first: more than the first sentence and less than the key.
func stallAfter(provider string) int {
	return map[string]int{"openai": 2200, "anthropic": 1500, ollama.Name: 1300}[provider]
}
