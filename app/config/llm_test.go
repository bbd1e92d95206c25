package config

import (
	"errors"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/policy"
)

// TestProviderPolicy checks that a provider's client reaches its own address, and that the
// address is open to nothing else.
func TestProviderPolicy(t *testing.T) {
	const base = "[policy]\nallow_private = [\"10.1.2.3:443\"]\n"
	for name, tt := range map[string]struct {
		conf, provider, url string
		want                policy.Verdict
	}{
		"the default":                     {"", "openai", "https://api.openai.com/v1/chat/completions", policy.Allow},
		"another path":                    {"", "openai", "https://api.openai.com/dashboard", policy.Ask},
		"another host":                    {"", "openai", "https://api.anthropic.com/v1/messages", policy.Ask},
		"a site of the catalogue":         {"", "openai", "https://youtube.com/", policy.Ask},
		"without TLS":                     {"", "openai", "http://api.openai.com/v1/models", policy.Ask},
		"a path that climbs":              {"", "openai", "https://api.openai.com/v1/../x", policy.Ask},
		"loopback":                        {"", "ollama", "http://127.0.0.1:11434/api/chat", policy.Allow},
		"another port of loopback":        {"", "ollama", "http://127.0.0.1:8080/api/chat", policy.Deny},
		"another loopback address":        {"", "ollama", "http://127.0.0.2:11434/api/chat", policy.Deny},
		"loopback of another provider":    {"", "openai", "http://127.0.0.1:11434/api/chat", policy.Deny},
		"IPv6":                            {"[llm.ollama]\nbase_url = \"http://[::1]:11434\"\n", "ollama", "http://[::1]:11434/api/chat", policy.Allow},
		"the default port":                {"[llm.ollama]\nbase_url = \"http://127.0.0.1\"\n", "ollama", "http://127.0.0.1/api/chat", policy.Allow},
		"a slash at the end":              {"[llm.openai]\nbase_url = \"https://llm.example.com/v1/\"\n", "openai", "https://llm.example.com/v1/models", policy.Allow},
		"private with allow_private":      {base + "[llm.openai]\nbase_url = \"https://10.1.2.3/v1\"\n", "openai", "https://10.1.2.3/v1/models", policy.Allow},
		"denied host":                     {"[policy]\nallowed_domains = [\"!api.openai.com\"]\n", "openai", "https://api.openai.com/v1/models", policy.Deny},
		"denied by a rule":                {"[[policy.rules]]\nverdict = \"deny\"\nhost = \"api.openai.com\"\n", "openai", "https://api.openai.com/v1/models", policy.Deny},
		"an allowed host of [policy]":     {"[policy]\nallowed_domains = [\"example.org\"]\n", "openai", "https://example.org/", policy.Ask},
		"the address of another provider": {"[llm.openai]\nbase_url = \"https://llm.example.com\"\n", "openai", "https://api.openai.com/v1/models", policy.Ask},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Load(Options{File: write(t, tt.conf), Env: []string{"HOME=/home/ann"}})
			must.Succeed(t, err)
			gate, err := l.ProviderPolicy(tt.provider)
			must.Succeed(t, err)
			if d := gate.Decide(policy.Request{Kind: policy.KindFetch, URL: tt.url}); d.Verdict != tt.want {
				t.Errorf("%s: %s (%s), want %s", tt.url, d.Verdict, d.Rule, tt.want)
			}
			if d := l.Gate.Decide(policy.Request{Kind: policy.KindFetch, URL: "http://127.0.0.1:11434/"}); d.Verdict != policy.Deny {
				t.Errorf("the address of a provider is open to tools: %s", d.Verdict)
			}
		})
	}
}

// TestLLMFaults checks that all faults are reported at once with their lines, and that none of
// them repeats a key or a password.
func TestLLMFaults(t *testing.T) {
	doc := `[agent.internal]
enabled = true
max_steps = 0
providers = ["openai", "gemini"]
[llm.openai]
base_url = "https://ann:hunter22@api.example.com"
model = ""
api_key_env = "sk-proj-Hunter22"
timeout_ms = 1
`
	_, err := Load(Options{File: write(t, doc), Env: []string{"HOME=/home/ann"}})
	var faults Problems
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	want := map[string]int{
		"agent.internal.enabled": 2, "agent.internal.max_steps": 3, "agent.internal.providers[1]": 4,
		"llm.openai.base_url": 6, "llm.openai.model": 7, "llm.openai.api_key_env": 8, "llm.openai.timeout_ms": 9,
	}
	for _, f := range faults {
		if line, ok := want[f.Key]; ok && line != f.Line {
			t.Errorf("%s is at line %d, want %d", f.Key, f.Line, line)
		}
		delete(want, f.Key)
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
	for _, l := range []*i18n.Language{i18n.English(), i18n.ForTag("ru")} {
		if text := l.Error(faults); strings.Contains(strings.ToLower(text), "hunter22") {
			t.Errorf("a secret is repeated: %s", text)
		}
	}
}
