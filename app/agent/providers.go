// Package agent connects language models with the program: the providers of the
// configuration, their keys and their network access.
package agent

import (
	"context"
	"net/http"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/runs"
	"errand/app/secrets"
	"errand/host/llm"
	"errand/host/llm/anthropic"
	"errand/host/llm/ollama"
	"errand/host/llm/openai"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Providers opens the configured providers of language models. Each reaches its own address
// alone, through a guard of its own. Its methods may be called by several goroutines at once.
type Providers struct {
	Config *config.Loaded
	Env    []string // in the format of os.Environ; it has the keys
	Vault  *secrets.Vault
	Tools  func(context.Context) ([]tool.Spec, error) // all tools of the program
	Narrow *Narrowing                                 // limits each task
	Start  func(context.Context, runs.Request) (runs.Report, error)
	Store  func() (store.Store, error) // counts the tokens
	Now    func() time.Time
}

// Provider describes a provider. It never has the key.
type Provider struct {
	Name     string   `json:"name"`
	Model    string   `json:"model"`
	BaseURL  string   `json:"base_url"`
	Key      KeyState `json:"key"`
	Variable string   `json:"variable,omitempty"` // that has the key
	Secret   string   `json:"secret,omitempty"`   // of the desktop's secret service that is the key
	Place    int      `json:"place"`              // in agent.internal.providers; 0: the agent does not ask it

	Reason message.Message `json:"reason,omitzero"` // why the key is not there
}

// CanBeAsked reports whether the agent asks the provider and has what it needs.
func (p Provider) CanBeAsked() bool { return p.Place > 0 && p.Key != KeyMissing }

// List describes all providers, those that the agent asks first. It reads no key.
func (p *Providers) List(ctx context.Context) []Provider {
	var out []Provider
	listed := p.Config.Agent.Internal.Providers
	for _, name := range slices.Concat(listed, config.ProviderNames()) {
		if slices.ContainsFunc(out, func(o Provider) bool { return o.Name == name }) {
			continue
		}
		c := p.Config.LLM.Provider(name)
		source := c.KeySource()
		state, reason := p.findKey(ctx, name)
		clean := p.Vault.Cleaner()
		out = append(out, Provider{name, clean.Text(c.Model), clean.Text(c.BaseURL), state, source.Variable, source.Secret, slices.Index(listed, name) + 1, reason})
	}
	return out
}

// source is where the key is, as the user knows it.
func (p Provider) source() string {
	return config.KeySource{Variable: p.Variable, Secret: p.Secret}.String()
}

// Open opens a provider and has its key removed from everything that is recorded from now on.
// It sends nothing; the desktop may ask the user to unlock the key. record is called for each connection; nil: it is not. The error has the code
// agent_no_provider if there is no such provider, or if its key is missing.
func (p *Providers) Open(ctx context.Context, name string, record func(guard.Connection)) (llm.Adapter, error) {
	if !slices.Contains(config.ProviderNames(), name) {
		return nil, tool.NewError(tool.ValidationError, CodeNoProvider, message.New("agent.unknown_provider", "name", name, "known", config.ProviderNames()))
	}
	c := p.Config.LLM.Provider(name)
	key, err := p.readKey(ctx, name)
	if err != nil {
		return nil, err
	}
	gate, err := p.Config.ProviderPolicy(name)
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, CodeNoProvider, message.FromError(err))
	}
	if key != "" {
		p.Vault.AddKey(key)
	}
	timeout := time.Duration(c.TimeoutMS) * time.Millisecond
	g := guard.New(gate, guard.Options{HeaderTimeout: timeout, ClientTimeout: timeout, MaxBody: maxAnswer, Record: record})
	client := g.Client(policy.Request{Kind: policy.KindFetch, Origin: plan.Agent, Tool: "llm." + name})
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the key goes nowhere else
	o := llm.Options{
		BaseURL: c.BaseURL, Model: c.Model, Key: key, KeyEnv: c.KeySource().String(), Timeout: timeout, MaxOutput: c.MaxOutputTokens, Client: client,
	}
	switch name {
	case openai.Name:
		return metered{openai.New(o), p}, nil
	case anthropic.Name:
		return metered{anthropic.New(o), p}, nil
	}
	return metered{ollama.New(o), p}, nil
}

// maxAnswer bounds an answer of a provider, in bytes. It is more than an adapter reads.
const maxAnswer = 16 << 20

// CodeNoProvider is the code of an error where no provider can be asked.
const CodeNoProvider = "agent_no_provider"

// chosen returns the providers that a person asks for: the named one, or all that the agent asks and that
// have their keys.
func (p *Providers) chosen(ctx context.Context, name string) ([]llm.Adapter, error) {
	if name != "" {
		a, err := p.Open(ctx, name, nil)
		return []llm.Adapter{a}, err
	}
	var out []llm.Adapter
	var missing []string
	for _, o := range p.List(ctx) {
		if o.Place == 0 {
			continue
		}
		if o.Key == KeyMissing {
			missing = append(missing, o.source())
			continue
		}
		a, err := p.Open(ctx, o.Name, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, noKeys(missing...)
	}
	return out, nil
}

// Answer is what a provider answered to a question of the user.
type Answer struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Models   []string      `json:"models,omitempty"`
	Duration time.Duration `json:"duration_ns"`
	Usage    *llm.Usage    `json:"usage,omitempty"`
	Error    *tool.Error   `json:"error,omitempty"`
}

// Models asks a provider for the models that it offers; with an empty name all that the agent
// asks and that have their keys, one after another. A provider that does not answer has an Error.
func (p *Providers) Models(ctx context.Context, name string) ([]Answer, error) {
	return p.ask(ctx, name, func(a llm.Adapter, out *Answer) (err error) {
		out.Models, err = a.Models(ctx)
		return err
	})
}

// greeting is what a test says to a model, and greetingTokens the most that it may answer.
const (
	greeting       = "hello"
	greetingTokens = 64
)

// Test says hello to a provider; with an empty name to all that the agent asks and that have their keys.
func (p *Providers) Test(ctx context.Context, name string) ([]Answer, error) {
	return p.ask(ctx, name, func(a llm.Adapter, out *Answer) error {
		t, err := a.Complete(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: greeting}}, MaxOutput: greetingTokens})
		if err == nil {
			out.Usage = &t.Usage
			if t.Model != "" {
				out.Model = t.Model
			}
		}
		return err
	})
}

func (p *Providers) ask(ctx context.Context, name string, question func(llm.Adapter, *Answer) error) ([]Answer, error) {
	adapters, err := p.chosen(ctx, name)
	if err != nil {
		return nil, err
	}
	out := []Answer{}
	for _, a := range adapters {
		answer := Answer{Provider: a.Name(), Model: p.Vault.Cleaner().Text(a.Model())}
		start := time.Now()
		err := question(a, &answer)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, model := range answer.Models {
			answer.Models[i] = p.Vault.Cleaner().Text(model)
		}
		answer.Duration, answer.Error = time.Since(start), tool.AsError(err)
		out = append(out, answer)
	}
	return out, nil
}
