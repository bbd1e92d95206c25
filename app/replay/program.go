package replay

import (
	"context"
	"time"

	"errand/app/config"
	"errand/app/planning"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/planner/message"
	"errand/policy"
)

// recordedProgram is the program as it was when a run was planned: it interprets,
// plans and decides, and has no store, no network, no browser and no plugin. Its
// clock is fixed at the time of the run.
type recordedProgram struct {
	*planning.Planner
	conf   *config.Loaded
	gate   policy.Chain
	grants []policy.Grant
	vault  *secrets.Vault
	at     time.Time
}

func openRecorded(s setting.Setting, at time.Time) (*recordedProgram, error) {
	conf, err := s.Base.Config.Load()
	if err != nil {
		return nil, setting.Bad(message.Of(err))
	}
	gate, err := conf.Gate.WithAllowed(s.Own.Allow...)
	if err != nil {
		return nil, setting.Bad(message.Of(err))
	}
	p := &recordedProgram{conf: conf, gate: policy.NewChain(gate), grants: s.Own.Grants, vault: secrets.NewVault(conf.Policy.Redaction), at: at}
	if p.Planner, err = planning.New(planning.Options{Config: conf, Vault: p.vault, Now: p.now}); err != nil {
		return nil, setting.Bad(message.Of(err))
	}
	return p, nil
}

func (p *recordedProgram) now() time.Time { return p.at }

// decide is the recorded policy's decision.
func (p *recordedProgram) decide(r policy.Request) policy.Decision {
	d := p.gate.Decide(r)
	if !policy.CanGrant(d) || len(p.grants) == 0 {
		return d
	}
	return p.gate.WithGrants(p.grants...).Decide(r)
}

// plan interprets words and plans them as the recorded run did.
func (p *recordedProgram) plan(ctx context.Context, s setting.Setting, text string) (planning.Planned, error) {
	return p.Plan(ctx, planning.Request{
		Origin: s.Own.Origin, Goals: s.Own.Goals, Text: text, Voice: s.Own.Voice, Answers: s.Own.Answers, World: &s.Own.World, Capabilities: planning.Capabilities(s.Specs()),
	})
}

// closeTimeout bounds the wait for calls that a replay left behind.
const closeTimeout = 8 * time.Second
