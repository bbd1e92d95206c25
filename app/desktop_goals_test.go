//go:build linux

package app

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/trace"
	"errand/planner/plan"
)

// tell runs words as a goal of the user.
func tell(t *testing.T, a *App, words string) runs.Report {
	t.Helper()
	r, err := a.Start(context.Background(), runs.Request{Origin: plan.UserGoal, Words: words})
	if err != nil {
		t.Logf("%s: %v", words, err)
	}
	return r
}

// TestDesktopGoals: words reach a player on a real bus at once, and what turns the computer off waits
// for an approval.
func TestDesktopGoals(t *testing.T) {
	address := desktoptest.StartBus(t)
	player := desktoptest.StartPlayer(t, address, "vlc", "VLC", "Playing")
	player.Play("So What", "Miles Davis")
	logind := desktoptest.StartService(t, address, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", func(note func(...any)) map[string]any {
		return map[string]any{
			"CanPowerOff": func() (string, *dbus.Error) { return "yes", nil },
			"PowerOff":    func(bool) *dbus.Error { note("PowerOff"); return nil },
		}
	})
	a, _ := opened(t, Options{})
	for _, words := range []string{"next track", "поставь на паузу", "what's playing", "resume the music"} {
		if r := tell(t, a, words); r.Status != trace.Done {
			t.Errorf("%s: %s", words, r.Status)
		}
	}
	if diff := cmp.Diff([]string{"Next", "Pause", "Play"}, player.Keys()); diff != "" {
		t.Error(diff)
	}
	r := tell(t, a, "shut down the computer")
	if r.Status != trace.NeedsApproval || len(logind.Calls()) > 0 {
		t.Fatalf("not asked: %s, %v", r.Status, logind.Calls())
	}
	if r := approved(t, a, runs.ApproveRequest{ID: r.DraftID}); r.Status != trace.Done || len(logind.Calls()) != 1 {
		t.Errorf("approved: %s, %v", r.Status, logind.Calls())
	}
}

// TestClipboardSecret: the clipboard is read after an approval only, and a token on it is not in the record.
func TestClipboardSecret(t *testing.T) {
	desktoptest.StartX(t)
	desktoptest.Need(t, "xclip")
	token := "ghp_" + strings.Repeat("aB3dE6gH9j", 4)[:36]
	cmd := exec.Command("xclip", "-selection", "clipboard", "-in")
	cmd.Stdin = strings.NewReader("my token is " + token)
	must.Succeed(t, cmd.Run())
	a, _ := opened(t, Options{})
	r := tell(t, a, "what's on my clipboard")
	if r.Status != trace.NeedsApproval {
		t.Fatalf("not asked: %s", r.Status)
	}
	done := approved(t, a, runs.ApproveRequest{ID: r.DraftID})
	if done.Status != trace.Done {
		t.Fatalf("approved: %s", done.Status)
	}
	whole, err := a.Record(t.Context(), done.RunID)
	must.Succeed(t, err)
	record := string(must.JSON(t, whole))
	if strings.Contains(record, token) || !strings.Contains(record, "my token is") {
		t.Errorf("the record: %s", record)
	}
}
