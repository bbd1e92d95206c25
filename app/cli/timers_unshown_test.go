package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
)

// TestUnshownTimers: what rang where nothing shows notifications is told once: by the next goal on a
// terminal, or by errand timers. A doctor knows it.
func TestUnshownTimers(t *testing.T) {
	rang := func(p sitting, id, kind, text string) {
		t.Helper()
		past := func() time.Time { return time.Now().Add(-time.Hour) }
		st, err := sqlite.Open(t.Context(), filepath.Join(p.home, ".local/share/errand"), sqlite.Options{Now: past})
		must.Succeed(t, err)
		due := past().UTC()
		_, err = st.AddTimer(t.Context(), store.Timer{ID: id, Kind: kind, When: "in 20m", Text: text, Due: due, CreatedAt: due})
		must.Succeed(t, err)
		_, err = st.ClaimTimer(t.Context(), id, due, time.Time{})
		must.Succeed(t, err)
		must.Succeed(t, st.Close())
	}
	p := sit(t)
	run := func(terminal bool, env string, args ...string) string {
		t.Helper()
		var shown bytes.Buffer
		Main(t.Context(), System{Args: args, Env: append(p.env, env), Stdin: strings.NewReader(""), Stdout: &shown, Stderr: &shown, TerminalErr: terminal})
		return shown.String()
	}
	for _, tt := range []struct {
		name     string
		rings    string // the id of a timer that rings before
		terminal bool
		env      string
		args     []string
		want     string // empty: nothing about the timer
	}{
		{"a goal of a script", "aaaaaa", false, "", []string{"what is 2+3"}, ""},
		{"JSON", "", true, "", []string{"timers", "--json"}, `"not_shown":1`},
		{"a goal on a terminal", "", true, "", []string{"what is 2+3"}, "call mom (was due at"},
		{"the next goal", "", true, "", []string{"what is 2+3"}, ""},
		{"the list", "bbbbbb", false, "", []string{"timers"}, "so you see it only now"},
		{"the list again", "", false, "", []string{"timers"}, ""},
		{"the list in Russian", "cccccc", false, "LANG=ru_RU.UTF-8", []string{"timers"}, "уведомления здесь никто не показывает"},
	} {
		if tt.rings != "" {
			rang(p, tt.rings, "reminder", "call mom")
		}
		shown := strings.ReplaceAll(run(tt.terminal, tt.env, tt.args...), `": `, `":`)
		if !strings.Contains(shown, tt.want) || tt.want == "" && strings.Contains(shown, "call mom") {
			t.Errorf("%s: want %q in\n%s", tt.name, tt.want, shown)
		}
	}
	rang(p, "zzzzzz", "timer", "pasta")
	if shown := run(false, "", "doctor"); strings.Contains(shown, "notifications") && !strings.Contains(shown, "1 timer or reminder rang and was not shown") {
		t.Errorf("the doctor: %s", shown)
	}
}
