package agent

import (
	"context"
	"time"

	"errand/host/agent"
	"errand/host/llm"
	"errand/host/llm/price"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

// storeTimeout bounds the count of an answer, also after its run has ended.
const storeTimeout = 10 * time.Second

// metered is an adapter whose answers count for the limit of the day. It asks nothing when the limit
// is reached. Several programs count together: each of them can pass the limit by one answer.
type metered struct {
	llm.Adapter
	p *Providers
}

// Complete implements [llm.Adapter]. At the limit of the day, the error has the code token_budget.
func (m metered) Complete(ctx context.Context, r llm.Request) (llm.Turn, error) {
	if err := m.p.checkDay(ctx); err != nil {
		return llm.Turn{}, err
	}
	t, err := m.Adapter.Complete(ctx, r)
	if err != nil {
		return t, err
	}
	if t.Model == "" {
		t.Model = m.Model()
	}
	t.Model = m.p.Vault.Cleaner().Text(t.Model) // a server may say anything, and the user may have mistaken the field
	t.Usage = t.Usage.Bounded()                 // nothing is given back, and a day's sum can't overflow
	return t, m.p.count(ctx, t)
}

// checkDay refuses a request if the tokens of today are used up.
func (p *Providers) checkDay(ctx context.Context) error {
	limit := int64(p.Config.Agent.Internal.MaxTokensDay)
	if limit == 0 {
		return nil
	}
	today, err := p.today(ctx)
	if err != nil {
		return err
	}
	if used := today.TokensIn + today.TokensOut; used >= limit {
		return tool.NewError(tool.ExecutionError, agent.CodeTokenBudget, message.New("agent.day_budget", "used", used, "limit", limit)).
			WithHint(message.New("agent.day_budget_hint"))
	}
	return nil
}

// count adds an answer to the counts of today.
func (p *Providers) count(ctx context.Context, t llm.Turn) error {
	s, err := p.Store()
	if err != nil {
		return err
	}
	u := store.ModelUsage{
		Day: p.day(), Provider: t.Provider, Model: t.Model, Requests: 1, TokensIn: int64(t.Usage.In), TokensOut: int64(t.Usage.Out),
	}
	known := false
	if u.CostMicros, known = p.prices().Cost(t.Model, t.Usage); !known {
		u.Unpriced = 1
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	return s.AddUsage(ctx, u)
}

func (p *Providers) day() string { return p.Now().Format(time.DateOnly) }

// prices are the built-in prices with those of the configuration.
func (p *Providers) prices() price.Table {
	var own []price.Price
	for _, c := range p.Config.LLM.Prices {
		own = append(own, price.Price{Model: c.Model, Input: c.Input, Output: c.Output})
	}
	return price.NewTable(own)
}

// Spending is what the agent used on a day.
type Spending struct {
	Day       string `json:"day"`
	TokensIn  int64  `json:"tokens_in"`
	TokensOut int64  `json:"tokens_out"`
	Limit     int64  `json:"limit,omitempty"` // of both together; 0: none
	// CostMicros is the cost of the requests that have a price, in millionths of a US dollar.
	CostMicros int64              `json:"cost_microusd"`
	Models     []store.ModelUsage `json:"models"`
}

// today returns what all programs used today.
func (p *Providers) today(ctx context.Context) (Spending, error) {
	out := Spending{Day: p.day(), Limit: int64(p.Config.Agent.Internal.MaxTokensDay), Models: []store.ModelUsage{}}
	if !store.HasRecord(p.Config.Paths.Data) {
		return out, nil
	}
	s, err := p.Store()
	if err != nil {
		return out, err
	}
	if out.Models, err = s.UsageOf(ctx, out.Day); err != nil {
		return out, err
	}
	for _, u := range out.Models {
		out.TokensIn += u.TokensIn
		out.TokensOut += u.TokensOut
		out.CostMicros += u.CostMicros
	}
	return out, nil
}
