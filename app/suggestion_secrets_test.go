package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/app/config"
	"errand/app/planning"
	"errand/build/must"
	"errand/host/trace"
)

// TestNoSuggestionHasASecret checks that what looks like a secret is not offered again, with
// redaction and without it: not from the typed words, and not from the history.
func TestNoSuggestionHasASecret(t *testing.T) {
	const own = "ownSettingXq93"
	for _, secret := range []string{"ghp_" + strings.Repeat("aB3dE6", 6), "AKIA" + "IOSFODNN7QWERTYU", own} {
		for _, redaction := range []string{"true", "false"} {
			t.Run(secret+" "+redaction, func(t *testing.T) {
				home := t.TempDir()
				file := filepath.Join(home, "errand.toml")
				text := "[policy]\nredaction = " + redaction + "\n"
				must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
				a, err := Open(Options{Config: config.Options{File: file, Env: []string{"HOME=" + home}}})
				must.Succeed(t, err)
				t.Cleanup(func() { a.Close() })
				a.vault.Bind(nil, []string{own})
				s, err := a.storage()
				must.Succeed(t, err)
				for i, goal := range []string{"search for " + secret, "search for cats"} {
					must.Succeed(t, s.Begin(t.Context(), trace.Run{RunID: a.newID(), Goal: goal, StartedAt: time.Now().Add(time.Duration(i) * time.Second)}))
				}
				var offered []string
				for _, typed := range []string{"", "search", "search for " + secret[:6], "search for " + secret, "find " + secret, secret, "kill " + secret + " now"} {
					list, err := a.Suggest(t.Context(), planning.SuggestRequest{Text: typed, Limit: 20})
					must.Succeed(t, err)
					for _, g := range list {
						offered = append(offered, g.Text)
					}
					offered = append(offered, a.Complete(typed, "en", 20)...)
					offered = append(offered, a.Interpret(typed).Suggestions...)
				}
				all := strings.Join(offered, "\n")
				if strings.Contains(all, secret) {
					t.Errorf("offered:\n%s", all)
				}
				if !strings.Contains(all, "search for cats") {
					t.Errorf("the history is not offered:\n%s", all)
				}
			})
		}
	}
}
