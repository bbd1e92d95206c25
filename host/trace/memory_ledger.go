package trace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"errand/host/tool"
)

// memoryClaim is a row of the ledger in [Memory].
type memoryClaim struct {
	Claim
	runID, stepID string // the call that owns the claim
	claimed       Step   // the call before it was made
	settled       bool   // a step of its own run records it
	number        int    // number of the claim, from 1
}

// clone returns a copy that the caller may change.
func (c *memoryClaim) clone() (Claim, error) {
	out := c.Claim
	step, err := cloneStep(c.Step)
	out.Step = step
	return out, err
}

// Resume implements [Log].
func (m *Memory) Resume(ctx context.Context, seen Run) error {
	return m.withRun(ctx, seen.RunID, func(r *memoryRun) error {
		if r.run.Status == Running || r.run.Status != seen.Status || r.run.DraftID != seen.DraftID {
			return RunUnderWay(seen.RunID)
		}
		r.run.Status, r.run.State, r.run.StopReason, r.run.Error = Running, StateInit, "", nil
		m.lose(seen.RunID)
		return nil
	})
}

// lose marks a run's pending claims as unknown.
func (m *Memory) lose(runID string) {
	for _, c := range m.ledger {
		if c.runID == runID && c.Effect == tool.Pending {
			c.Effect = tool.Unknown
		}
	}
}

// Claim implements [Log].
func (m *Memory) Claim(ctx context.Context, step Step) (Claim, error) {
	var claim Claim
	if step.EffectKey == "" {
		return claim, EffectUnnamed(step)
	}
	err := m.withRun(ctx, step.RunID, func(r *memoryRun) error {
		if r.run.Status != Running {
			return RunEnded(step.RunID)
		}
		stored, err := cloneStep(step)
		if err != nil {
			return err
		}
		earlier, made := m.ledger[step.EffectKey]
		switch {
		case made && earlier.Effect == tool.Pending:
			return EffectUnderWay(step)
		case made && earlier.Effect != tool.Released:
			claim, err = earlier.clone()
			return err
		}
		if m.ledger == nil {
			m.ledger = map[string]*memoryClaim{}
		}
		m.claims++
		c := &memoryClaim{Claim{Key: step.EffectKey, Effect: tool.Pending, Step: stored}, step.RunID, step.StepID, stored, false, m.claims}
		m.ledger[step.EffectKey] = c
		claim, err = c.clone()
		return err
	})
	return claim, err
}

// Append implements [Log].
func (m *Memory) Append(ctx context.Context, step Step) (Step, error) {
	step = step.WithDefaults()
	step.Artifacts = slices.Clone(step.Artifacts)
	for i, a := range step.Artifacts {
		if a.Data == nil {
			continue
		}
		sum := sha256.Sum256(a.Data)
		a.SHA256, a.Size, a.Data = hex.EncodeToString(sum[:]), int64(len(a.Data)), slices.Clone(a.Data)
		step.Artifacts[i] = a
	}
	err := m.withRun(ctx, step.RunID, func(r *memoryRun) error {
		stored, err := cloneStep(step)
		if err != nil {
			return err
		}
		r.steps = append(r.steps, stored)
		m.settle(stored)
		return nil
	})
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		if c := m.ledger[step.EffectKey]; c != nil && c.isBy(step) && c.Effect == tool.Pending {
			c.Effect = tool.Unknown
		}
	}
	return step, err
}

func (c *memoryClaim) isBy(step Step) bool { return c.runID == step.RunID && c.stepID == step.StepID }

// settle updates the claim of an appended step.
func (m *Memory) settle(step Step) {
	if step.EffectKey == "" {
		return
	}
	c := m.ledger[step.EffectKey]
	if c == nil {
		return
	}
	if next, changed := c.AfterStep(step, c.isBy(step)); changed {
		c.Claim, c.settled = next, c.settled || step.RunID == c.runID
	}
}

// Settle implements [Log].
func (m *Memory) Settle(ctx context.Context, key string, to tool.EffectState) error {
	if err := ctx.Err(); err != nil {
		return tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.ledger[key]
	if c == nil {
		return EffectSettled(key, "")
	}
	if c.Effect != tool.Unknown || to != tool.Committed && to != tool.Released {
		return EffectSettled(key, c.Effect)
	}
	c.Effect, c.Recorded = to, false
	return nil
}

// Effects implements [Reader].
func (m *Memory) Effects(ctx context.Context, runID string) ([]Claim, error) {
	if err := ctx.Err(); err != nil {
		return nil, tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	claims := []Claim{}
	for _, c := range m.claimsOf(runID) {
		stored, err := c.clone()
		if err != nil {
			return nil, err
		}
		claims = append(claims, stored)
	}
	return claims, nil
}

// claimsOf returns the claims of a run, the oldest first.
func (m *Memory) claimsOf(runID string) []*memoryClaim {
	var claims []*memoryClaim
	for _, c := range m.ledger {
		if c.runID == runID {
			claims = append(claims, c)
		}
	}
	slices.SortFunc(claims, func(a, b *memoryClaim) int { return cmp.Compare(a.number, b.number) })
	return claims
}
