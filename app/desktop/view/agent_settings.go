package view

import (
	"net/url"

	"errand/app/agent"
	"errand/host/llm/price"
	"errand/planner/message"
)

// AgentStatus says whether language models can be asked, and what they may do.
type AgentStatus struct {
	Enabled   bool              `json:"enabled"`
	Ready     bool              `json:"ready"`  // a task can be given to a model
	Faults    []message.Message `json:"faults"` // why not
	Providers []Provider        `json:"providers"`
	Tools     []AgentTool       `json:"tools"` // that a model can be given, by name

	UsedToday  int64  `json:"used_today"`  // tokens, by all programs
	DayLimit   int64  `json:"day_limit"`   // 0: none
	SpentToday string `json:"spent_today"` // in dollars; "" if nothing has a price
}

// Provider is a provider of language models. It never has the key.
type Provider struct {
	Name       string          `json:"name"`
	Model      string          `json:"model"`
	BaseURL    string          `json:"base_url"`
	Host       string          `json:"host"`  // where the words go
	Place      int             `json:"place"` // in the order in which providers are asked; 0: it is not asked
	Key        agent.KeyState  `json:"key"`
	Variable   string          `json:"variable"`     // the environment variable that has the key
	Secret     string          `json:"secret"`       // the item of the desktop's secret service that is the key
	Reason     message.Message `json:"reason"`       // why the key is not there
	Store      string          `json:"store"`        // the command that stores the key there; "": there is none
	CanBeAsked bool            `json:"can_be_asked"` // it has a place, and what it needs
}

// AgentTool is a tool that a model can be given.
type AgentTool struct {
	Name    string          `json:"name"`
	Title   message.Message `json:"title"`
	Reads   bool            `json:"reads"` // it changes nothing
	Allowed bool            `json:"allowed"`
}

// TaskAsk gives a task to a language model.
type TaskAsk struct {
	Text     string `json:"text"`
	Provider string `json:"provider"` // the only one to be asked; "": those of the configuration
}

// ProviderTest is the outcome of a test of a provider.
type ProviderTest struct {
	Provider   string   `json:"provider"`
	Model      string   `json:"model"` // as the provider names it
	Host       string   `json:"host"`
	DurationMS int64    `json:"duration_ms"`
	TokensIn   int      `json:"tokens_in"`
	TokensOut  int      `json:"tokens_out"`
	Error      *Failure `json:"error"` // null: it answered
}

// NewAgentStatus returns the view of the agent's status. tools are those that a model can be given.
func NewAgentStatus(s agent.Status, tools []AgentTool) AgentStatus {
	v := AgentStatus{
		Enabled: s.Enabled, Ready: len(s.Faults) == 0, Faults: OrEmpty(s.Faults), Providers: []Provider{}, Tools: tools,
		UsedToday: s.Today.TokensIn + s.Today.TokensOut, DayLimit: s.Today.Limit,
	}
	if s.Today.CostMicros > 0 {
		v.SpentToday = price.Dollars(s.Today.CostMicros)
	}
	for _, p := range s.Providers {
		v.Providers = append(v.Providers, Provider{
			Name: p.Name, Model: p.Model, BaseURL: p.BaseURL, Host: HostOf(p.BaseURL), Place: p.Place,
			Key: p.Key, Variable: p.Variable, Secret: p.Secret, Reason: p.Reason, CanBeAsked: p.CanBeAsked(), Store: p.StoreCommand(),
		})
	}
	return v
}

// HostOf returns the host and port in a provider's address.
func HostOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Host
}
