package keyring_test

import (
	"context"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/desktop/desktoptest"
	"errand/host/desktop/keyring"
	"errand/host/tool"
)

func TestRead(t *testing.T) {
	service := desktoptest.StartSecrets(t, desktoptest.StartBus(t), map[string]string{"openai": "sk-1", "empty": ""})
	tests := []struct {
		name, secret, lock string
		state              keyring.State
		want, code         string
		prompted           int
	}{
		{"unlocked", "openai", "", keyring.Unlocked, "sk-1", "", 0},
		{"missing", "anthropic", "", keyring.Missing, "", keyring.CodeNotFound, 0},
		{"empty", "empty", "", keyring.Unlocked, "", "", 0},
		{"the user closes the question", "openai", "dismiss", keyring.Locked, "", keyring.CodeLocked, 1},
		{"the user unlocks it", "openai", "unlock", keyring.Locked, "sk-1", "", 2},
		{"it stays unlocked", "openai", "", keyring.Unlocked, "sk-1", "", 2},
		{"missing in a locked keyring", "anthropic", "unlock", keyring.Missing, "", keyring.CodeNotFound, 2},
	}
	for _, tt := range tests {
		if tt.lock != "" {
			service.Lock(tt.lock)
		}
		state, err := keyring.Find(t.Context(), tt.secret)
		must.Succeed(t, err)
		before, _ := service.Prompted()
		got, err := keyring.Read(t.Context(), tt.secret)
		code := ""
		if err != nil {
			code = tool.AsError(err).Code
		}
		if state != tt.state || got != tt.want || code != tt.code {
			t.Errorf("%s: %s, %q, %v", tt.name, state, got, err)
		}
		if prompted, _ := service.Prompted(); prompted != tt.prompted || before > prompted {
			t.Errorf("%s: asked %d times, want %d", tt.name, prompted, tt.prompted)
		}
		if _, sessions := service.Prompted(); sessions != 0 {
			t.Errorf("%s: %d sessions are open", tt.name, sessions)
		}
	}

	// A user who does not answer is asked until the caller's deadline.
	service.Lock("nothing")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := keyring.Read(ctx, "openai")
		ended <- err
	}()
	poll.Await(t, "the user is asked", func() bool { n, _ := service.Prompted(); return n == 3 })
	cancel()
	poll.Await(t, "it ends with its caller", func() bool {
		select {
		case err := <-ended:
			if tool.AsError(err).Code != keyring.CodeLocked {
				t.Errorf("after the caller's end: %v", err)
			}
			return true
		default:
			return false
		}
	})
}

// TestNoService checks the errors where the desktop has no secret service, or there is no desktop.
func TestNoService(t *testing.T) {
	desktoptest.StartBus(t)
	if _, err := keyring.Read(t.Context(), "openai"); tool.AsError(err).Code != keyring.CodeNoService || tool.AsError(err).Hint.IsZero() {
		t.Errorf("without a service: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	if _, err := keyring.Find(t.Context(), "openai"); err == nil || !strings.HasPrefix(tool.AsError(err).Code, "no_session_bus") {
		t.Errorf("without a bus: %v", err)
	}
}
