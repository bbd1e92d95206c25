package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// BenchmarkTurn measures a turn of the agent beside the model: the time from an answer, whose call is
// made and recorded, to the next request. Its median has to be under 2 ms. The record is in memory where
// that is possible, because a durable commit takes as long as the disk takes.
func BenchmarkTurn(b *testing.B) {
	const turns = 20 // of one run
	if _, err := os.Stat("/dev/shm"); err == nil {
		b.Setenv("TMPDIR", "/dev/shm")
	}
	home := b.TempDir()
	must.Succeed(b, os.Mkdir(filepath.Join(home, "Documents"), 0o700))
	var took []time.Duration
	var answered time.Time
	models := llmtest.Start(b, func(n int, r llmtest.Received) llmtest.Answer {
		turn := r.Turn()
		if turn > 0 {
			took = append(took, time.Since(answered))
		}
		defer func() { answered = time.Now() }()
		if turn == turns {
			return llmtest.Answer{Text: "Done."}
		}
		return llmtest.Answer{Calls: []llm.Call{{Name: "system.calculate", Args: map[string]any{"expression": fmt.Sprintf("%d+%d", n, turn)}}}}
	})
	env := []string{
		"HOME=" + home, "XDG_CACHE_HOME=" + cache, "USER=ann", "ERRAND_AGENT_INTERNAL_ENABLED=true", "ERRAND_AGENT_INTERNAL_PROVIDERS=openai", "OPENAI_API_KEY=k",
		"ERRAND_LLM_OPENAI_BASE_URL=" + models.BaseURL("openai"), "ERRAND_AGENT_INTERNAL_ALLOWED_TOOLS=system.calculate", "ERRAND_AGENT_INTERNAL_MAX_STEPS=100",
	}
	for b.Loop() {
		var out bytes.Buffer
		if code := Main(b.Context(), System{Args: []string{"ask", "add up"}, Env: env, Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &out}); code != 0 {
			b.Fatalf("exit %d: %s", code, out.String())
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/turn-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/turn-p99")
}
