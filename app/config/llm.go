package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy"
)

// LLM is the [llm] table: providers of language models.
type LLM struct {
	OpenAI    Provider `toml:"openai"`
	Anthropic Provider `toml:"anthropic"`
	Ollama    Provider `toml:"ollama"`
	Prices    []Price  `toml:"prices"` // in place of the built-in ones, or beside them
}

// Price is [[llm.prices]]: what a model costs, in US dollars for a million tokens.
type Price struct {
	Model  string  `toml:"model"` // as providers name it, without a date at its end
	Input  float64 `toml:"input"`
	Output float64 `toml:"output"`
}

// Provider is [llm.<name>].
type Provider struct {
	BaseURL         string `toml:"base_url"` // https, or http to a loopback address
	Model           string `toml:"model"`
	APIKeyEnv       string `toml:"api_key_env"`  // the environment variable with the key; "": no key is sent
	APIKeyFrom      string `toml:"api_key_from"` // env:NAME or secret:NAME; "": APIKeyEnv
	TimeoutMS       int    `toml:"timeout_ms"`   // 1,000 to 600,000; of one request
	MaxOutputTokens int    `toml:"max_output_tokens"`
}

// KeySource is where a provider's key is: in an environment variable, or in an item of the desktop's
// secret service. If both are empty, no key is sent.
type KeySource struct{ Variable, Secret string }

// KeySource returns where the key is.
func (p Provider) KeySource() KeySource {
	if p.APIKeyFrom != "" {
		return keySource(p.APIKeyFrom)
	}
	return KeySource{Variable: p.APIKeyEnv}
}

// keySource reads env:NAME or secret:NAME.
func keySource(text string) KeySource {
	if name, ok := strings.CutPrefix(text, "secret:"); ok {
		return KeySource{Secret: name}
	}
	return KeySource{Variable: strings.TrimPrefix(text, "env:")}
}

// String is the source as the user knows it: the name of the variable, or secret:NAME.
func (k KeySource) String() string {
	if k.Secret != "" {
		return "secret:" + k.Secret
	}
	return k.Variable
}

// ProviderNames are the providers that Errand knows, in their default order.
func ProviderNames() []string { return []string{"openai", "anthropic", "ollama"} }

// Provider returns the provider of a name; it is zero for unknown names.
func (l LLM) Provider(name string) Provider {
	switch name {
	case "openai":
		return l.OpenAI
	case "anthropic":
		return l.Anthropic
	case "ollama":
		return l.Ollama
	}
	return Provider{}
}

func defaultLLM() LLM {
	const timeout, tokens = 60_000, 4096
	return LLM{
		OpenAI:    Provider{"https://api.openai.com/v1", "gpt-4.1-mini", "OPENAI_API_KEY", "", timeout, tokens},
		Anthropic: Provider{"https://api.anthropic.com", "claude-3-5-sonnet-latest", "ANTHROPIC_API_KEY", "", timeout, tokens},
		Ollama:    Provider{"http://127.0.0.1:11434", "llama3.1:8b-instruct", "", "", timeout, tokens},
		Prices:    []Price{},
	}
}

// maxPrice is the highest price of a million tokens, in US dollars.
const maxPrice = 1_000_000

// maxModel is the greatest length of a model's name.
const maxModel = 200

// checkLLM validates the tables of providers.
func (l *Loaded) checkLLM(report reporter) {
	for _, name := range ProviderNames() {
		p, table := l.LLM.Provider(name), "llm."+name+"."
		if m := l.checkBaseURL(p.BaseURL); !m.IsZero() {
			report(table+"base_url", m)
		}
		if strings.TrimSpace(p.Model) != p.Model || p.Model == "" || len(p.Model) > maxModel {
			report(table+"model", message.New("config.bad_model", "limit", maxModel))
		}
		if !isKeyVariable(p.APIKeyEnv) {
			report(table+"api_key_env", message.New("config.bad_key_variable"))
		}
		if !isKeySource(p.APIKeyFrom) {
			report(table+"api_key_from", message.New("config.bad_key_source"))
		}
	}
	for i, p := range l.LLM.Prices {
		table := indexKey("llm.prices", i) + "."
		if p.Model == "" || len(p.Model) > maxModel {
			report(table+"model", message.New("config.bad_model", "limit", maxModel))
		}
		for key, value := range map[string]float64{"input": p.Input, "output": p.Output} {
			if !(value >= 0 && value <= maxPrice) {
				report(table+key, message.New("config.bad_price", "limit", maxPrice))
			}
		}
	}
}

// isKeyVariable reports whether a text is empty or the name of a variable, in upper case. A
// key itself is not: it has other letters.
func isKeyVariable(name string) bool {
	return len(name) <= 64 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && strings.TrimLeft(name, "0123456789") == name
}

// isKeySource reports whether a text is empty, env:VARIABLE or secret:NAME. A key itself is not: the
// name of a secret has lower-case letters, digits, "-", "_" and "." alone, and at most 40 of them.
func isKeySource(text string) bool {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		return name != "" && isKeyVariable(name)
	}
	if name, ok := strings.CutPrefix(text, "secret:"); ok {
		return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
	}
	return text == ""
}

// checkBaseURL says what is wrong with the address of a provider. It never repeats the address,
// which can have a password.
func (l *Loaded) checkBaseURL(text string) message.Message {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return message.New("config.bad_base_url", "why", "url")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return message.New("config.bad_base_url", "why", "extra")
	case u.Scheme == "http" && !isLoopback(u):
		return message.New("config.bad_base_url", "why", "plain")
	}
	s := l.providerSettings(text)
	if _, err := policy.ParsePattern(s.AllowedDomains[0]); err != nil {
		return message.New("config.base_url_refused", "reason", message.FromError(err))
	}
	gate, err := policy.New(s)
	if err != nil { // an entry of allow_private, which is reported with its key
		return message.Message{}
	}
	if d := gate.Decide(policy.Request{Kind: policy.KindFetch, URL: strings.TrimRight(text, "/") + "/"}); d.Verdict != policy.Allow {
		return message.New("config.base_url_refused", "reason", d.Reason)
	}
	return message.Message{}
}

func isLoopback(u *url.URL) bool {
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && a.IsLoopback()
}

// providerSettings returns settings that allow the addresses of providers and nothing else. A
// loopback address in one of them is open, other private ones only with allow_private.
func (l *Loaded) providerSettings(baseURLs ...string) policy.Settings {
	s := policy.Settings{AllowPrivate: slices.Clone(l.Policy.AllowPrivate)}
	for _, text := range baseURLs {
		pattern := strings.TrimRight(text, "/")
		u, err := url.Parse(pattern)
		if err != nil {
			continue // it is reported
		}
		if u.Path != "" {
			pattern += "/"
		}
		s.AllowedDomains = append(s.AllowedDomains, pattern)
		if isLoopback(u) {
			port := u.Port()
			if port == "" {
				port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
			}
			s.AllowPrivate = append(s.AllowPrivate, netJoin(u.Hostname(), port))
		}
	}
	return s
}

func netJoin(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// ProviderPolicy returns the policy of requests to one of [ProviderNames]. Naming an address in its base_url
// allows it. The denials of [policy] apply, and nothing else that [policy] allows.
func (l *Loaded) ProviderPolicy(name string) (*policy.Policy, error) {
	return l.addressPolicy(l.LLM.Provider(name).BaseURL)
}

// addressPolicy returns the policy of requests to one address of the configuration alone.
func (l *Loaded) addressPolicy(baseURL string) (*policy.Policy, error) {
	s := l.providerSettings(baseURL)
	for _, pattern := range l.Policy.AllowedDomains {
		if strings.HasPrefix(pattern, "!") {
			s.AllowedDomains = append(s.AllowedDomains, pattern)
		}
	}
	for _, r := range l.Policy.Rules {
		if r.Verdict == policy.Deny {
			s.Rules = append(s.Rules, r)
		}
	}
	return policy.New(s)
}

// maxPromptExtra is the longest text of the user for models, in bytes.
const maxPromptExtra = 4096

// checkAgent validates [agent.internal].
func (l *Loaded) checkAgent(report reporter) {
	a := l.Agent.Internal
	if a.Enabled && len(a.AllowedTools) == 0 {
		report("agent.internal.enabled", message.New("config.no_allowed_tools"))
	}
	if a.Enabled && len(a.Providers) == 0 {
		report("agent.internal.enabled", message.New("config.no_providers"))
	}
	for i, name := range a.Providers {
		key := indexKey("agent.internal.providers", i)
		switch {
		case !slices.Contains(ProviderNames(), name):
			report(key, message.New("config.not_allowed", "value", name, "allowed", ProviderNames()))
		case slices.Index(a.Providers, name) < i:
			report(key, message.New("config.listed_twice", "name", name))
		}
	}
	if n := len(a.PromptExtra); n > maxPromptExtra {
		report("agent.internal.prompt_extra", message.New("config.long_prompt", "size", n, "limit", maxPromptExtra))
	}
	for i, name := range a.AllowedTools { // Globs are not allowed: they would match tools that are added later.
		if !toolName().MatchString(name) {
			report(indexKey("agent.internal.allowed_tools", i), message.New("config.bad_tool_name", "name", name))
		}
	}
}
