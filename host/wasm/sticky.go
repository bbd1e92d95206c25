package wasm

import (
	"context"

	"errand/host/wasm/engine"
)

// sticky keeps an instance between calls, which take turns.
type sticky struct {
	turn     chan struct{} // holds a token while nobody has the instance
	instance *engine.Instance
	vars     map[string][]byte
}

// keeper answers what a kind of calls shares.
func (u *unit) keeper(kind string) *sticky {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.kept[kind]
	if s == nil {
		s = &sticky{turn: make(chan struct{}, 1), vars: map[string][]byte{}}
		s.turn <- struct{}{}
		u.kept[kind] = s
	}
	return s
}

// goOn does a call that goes on from where the last one ended. An instance that
// is not healthy is thrown away with its variables: nothing is known of its
// state.
func (u *unit) goOn(ctx context.Context, p *program, kind string, c *engine.Call) (engine.Outcome, error) {
	s := u.keeper(kind)
	select {
	case <-s.turn:
	case <-ctx.Done():
		return engine.Outcome{}, busy()
	}
	defer func() { s.turn <- struct{}{} }()
	c.Extism.Vars = s.vars
	if s.instance == nil {
		i, err := p.Open(ctx, u.instance(kind), c)
		if err != nil {
			return engine.Outcome{}, err
		}
		s.instance = i
	}
	out, err := s.instance.Call(ctx, c)
	if !s.instance.Healthy() {
		s.close()
	}
	return out, err
}

func (s *sticky) close() {
	if s.instance != nil {
		s.instance.Close()
	}
	s.instance, s.vars = nil, map[string][]byte{}
}
