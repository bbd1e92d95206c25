package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"errand/app/agent"
	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/llm/llmtest"
	"errand/host/tool"
)

// TestKeysOfTheDesktop reads keys from a secret service. Neither errors nor states have them.
func TestKeysOfTheDesktop(t *testing.T) {
	service := desktoptest.StartSecrets(t, desktoptest.StartBus(t), map[string]string{"work": key + "\n", "bad": "two words", "empty": ""})
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Text: "Hello!"}))
	with := func(source string) *agent.Providers {
		return open(t, "ERRAND_LLM_OPENAI_API_KEY_FROM="+source, "ERRAND_LLM_OPENAI_BASE_URL="+server.BaseURL("openai"), "OPENAI_API_KEY=of-the-environment", "OTHER="+key)
	}
	for _, tt := range []struct {
		name, source, lock string
		state              agent.KeyState
		want               string // of the error; empty: the key is sent
	}{
		{"in the keyring", "secret:work", "", agent.KeyPresent, ""},
		{"in another variable", "env:OTHER", "", agent.KeyPresent, ""},
		{"not in the keyring", "secret:home", "", agent.KeyMissing, "keyring.not_found"},
		{"no key", "secret:empty", "", agent.KeyPresent, "secret:empty"},
		{"not the form of a key", "secret:bad", "", agent.KeyPresent, "agent.bad_key"},
		{"locked and not opened", "secret:work", "dismiss", agent.KeyLocked, "keyring.locked"},
		{"locked and opened", "secret:work", "unlock", agent.KeyLocked, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.lock != "" {
				service.Lock(tt.lock)
			}
			p := with(tt.source)
			before, _ := service.Prompted()
			status, err := p.Status(t.Context())
			must.Succeed(t, err)
			if got := status.Providers[0]; got.Key != tt.state || !got.CanBeAsked() == (tt.state != agent.KeyMissing) {
				t.Errorf("state = %+v", got)
			}
			if after, _ := service.Prompted(); after != before {
				t.Error("the user was asked for the state")
			}
			sent := len(server.Received())
			answers, err := p.Test(t.Context(), "openai")
			text, marshalErr := json.Marshal([]any{status, answers, tool.AsError(err)})
			must.Succeed(t, marshalErr)
			if strings.Contains(string(text), key) || strings.Contains(string(text), "two words") {
				t.Errorf("a key is shown: %s", text)
			}
			if tt.want == "" {
				must.Succeed(t, err)
				if got := server.Received()[sent].Header.Get("Authorization"); got != "Bearer "+key {
					t.Errorf("sent %q", got)
				}
				if !p.Vault.HasSecret("the key is " + key) {
					t.Error("the key is not known as a secret")
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) && !strings.Contains(string(text), tt.want) || tool.AsError(err).Code != agent.CodeNoProvider || len(server.Received()) != sent {
				t.Errorf("error = %v, want %s", err, tt.want)
			}
		})
	}
}
