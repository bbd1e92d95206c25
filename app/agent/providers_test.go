package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"errand/app/agent"
	"errand/app/config"
	"errand/app/secrets"
	"errand/build/must"
	"errand/host/llm/llmtest"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/policy/guard"
)

const key = "sk-own-Hunter22Hunter22"

func open(t *testing.T, env ...string) *agent.Providers {
	t.Helper()
	home := t.TempDir()
	env = append([]string{"HOME=" + home}, env...)
	return openIn(t, home, env...)
}

// openIn opens the providers of one of several programs with the same home folder.
func openIn(t *testing.T, home string, env ...string) *agent.Providers {
	t.Helper()
	l, err := config.Load(config.Options{Env: env})
	must.Succeed(t, err)
	s, err := sqlite.Open(t.Context(), l.Paths.Data, sqlite.Options{})
	must.Succeed(t, err)
	t.Cleanup(func() { must.Succeed(t, s.Close()) })
	return &agent.Providers{
		Config: l, Env: env, Vault: secrets.NewVault(true, nil), Tools: func(context.Context) ([]tool.Spec, error) { return nil, nil },
		Store: func() (store.Store, error) { return s, nil }, Now: time.Now,
	}
}

func TestProviderList(t *testing.T) {
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"the default":           {nil, "openai/missing/1 anthropic/missing/2 ollama/unneeded/3"},
		"one key":               {[]string{"ANTHROPIC_API_KEY=" + key}, "openai/missing/1 anthropic/present/2 ollama/unneeded/3"},
		"an empty key":          {[]string{"OPENAI_API_KEY= "}, "openai/missing/1 anthropic/missing/2 ollama/unneeded/3"},
		"a later empty key":     {[]string{"OPENAI_API_KEY=" + key, "OPENAI_API_KEY="}, "openai/missing/1 anthropic/missing/2 ollama/unneeded/3"},
		"another order":         {[]string{"ERRAND_AGENT_INTERNAL_PROVIDERS=ollama,openai"}, "ollama/unneeded/1 openai/missing/2 anthropic/missing/0"},
		"another variable":      {[]string{"ERRAND_LLM_OPENAI_API_KEY_ENV=MY_KEY", "MY_KEY=" + key, "OPENAI_API_KEY=x"}, "openai/present/1 anthropic/missing/2 ollama/unneeded/3"},
		"a name that it begins": {[]string{"OPENAI_API_KEY_OLD=" + key}, "openai/missing/1 anthropic/missing/2 ollama/unneeded/3"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, tt.env...)
			var got []string
			for _, o := range p.List(t.Context()) {
				got = append(got, fmt.Sprintf("%s/%s/%d", o.Name, o.Key, o.Place))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("providers = %s, want %s", text, tt.want)
			}
			status, err := p.Status(t.Context())
			must.Succeed(t, err)
			text, err := json.Marshal(status)
			must.Succeed(t, err)
			if strings.Contains(string(text), key) {
				t.Errorf("the status has a key: %s", text)
			}
		})
	}
}

// TestOpen checks which providers can be opened, that each reaches its own address alone, that
// its connections are recorded, and that its key is a secret from then on.
func TestOpen(t *testing.T) {
	server := llmtest.Start(t, llmtest.Script(llmtest.Answer{Text: "Hello!"}))
	p := open(t, "OPENAI_API_KEY="+key, "ERRAND_LLM_OPENAI_BASE_URL="+server.BaseURL("openai"), "ANTHROPIC_API_KEY=two words")
	for name, want := range map[string]string{
		"openai": "", "ollama": "", "anthropic": "has a character", "gemini": "agent.unknown_provider", "": "agent.unknown_provider",
	} {
		_, err := p.Open(t.Context(), name, nil)
		e := tool.AsError(err)
		if (err == nil) != (want == "") || err != nil && e.Code != agent.CodeNoProvider {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "two words") {
			t.Errorf("the error has a key: %v", err)
		}
	}
	if !p.Vault.HasSecret("the key is " + key) {
		t.Error("the key is not known as a secret")
	}
	var connections []guard.Connection
	a, err := p.Open(t.Context(), "openai", func(c guard.Connection) { connections = append(connections, c) })
	must.Succeed(t, err)
	_, err = a.Models(t.Context())
	must.Succeed(t, err)
	if len(connections) != 1 || connections[0].Tool != "llm.openai" || connections[0].Received == 0 || connections[0].Host != "127.0.0.1" {
		t.Errorf("connections = %+v", connections)
	}
	if _, err := p.Test(t.Context(), "anthropic"); err == nil {
		t.Error("a provider without a key was asked")
	}
	answers, err := p.Test(t.Context(), "openai")
	must.Succeed(t, err)
	if len(answers) != 1 || answers[0].Error != nil || answers[0].Usage == nil || answers[0].Model != "model-1" {
		t.Errorf("answers = %+v", answers)
	}
	if n := len(server.Received()); n != 1 {
		t.Errorf("%d messages were sent, want one", n)
	}
}
