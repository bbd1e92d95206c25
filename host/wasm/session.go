package wasm

import (
	"context"
	"maps"
	"sync"

	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Session calls a module without a plugin folder many times. The first call makes
// an instance, which later calls use again. It is safe for concurrent use; calls
// of a sticky session run one at a time.
type Session struct {
	unit    *unit
	module  Inspection
	options CallOptions
	calls   sync.Pool // of *sessionCall
}

// sessionCall is reused by later calls, so that a call allocates nothing.
type sessionCall struct {
	engine.Call
	extism extism.Call
	logs   []LogLine
}

// Session starts a session. state selects whether calls are fresh or sticky. Each
// fresh call starts with the variables in o. Errors are those of [Host.Call]. The
// first call compiles the module.
func (h *Host) Session(m Module, state manifest.State, o CallOptions) (*Session, error) {
	i, err := m.inspect()
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Session{module: i, options: o}
	s.unit = h.add(&unit{
		name: message.Verbatim(m.Name), digest: i.SHA256, load: func() ([]byte, Inspection, error) { return m.Bytes, i, nil },
		setup:    func(kind string) engine.Setup { return h.moduleSetup(m.Name, o, kind != command) },
		isSticky: state == manifest.Sticky, maxConcurrent: manifest.DefaultInstances, raise: raiseByFlag,
	})
	s.calls.New = func() any {
		c := &sessionCall{}
		log := func(level string, line message.Message) { c.logs = append(c.logs, LogLine{level, line}) }
		c.Call = engine.Call{Timeout: o.timeout(), Log: log, WritesAll: true}
		c.extism = *h.extismCall(m.Name, o, log)
		return c
	}
	return s, nil
}

// Call runs a function like [Host.Call].
func (s *Session) Call(ctx context.Context, function string, input []byte) (Output, error) {
	c := s.calls.Get().(*sessionCall)
	defer s.calls.Put(c)
	c.Function, c.Input, c.logs = function, input, nil
	kind := command
	c.Call.Extism = nil
	if usesExtism(&s.module, function) {
		kind = reading
		c.Call.Extism = &c.extism
		if !s.unit.isSticky {
			c.extism.Vars = maps.Clone(s.options.Vars)
		}
	}
	done, err := s.unit.call(ctx, kind, &c.Call)
	out := Output{Data: done.Data, Error: failure(done), ExitCode: int32(done.Code), Logs: c.logs, Fuel: done.Fuel, Memory: done.Memory}
	if err == nil && out.ExitCode != 0 && out.Error.IsZero() {
		out.Error = message.New("plugin.exited", "name", s.unit.name, "code", out.ExitCode)
	}
	c.Input = nil
	return out, withModuleName(err, s.unit.name)
}

// InstanceState returns how calls run; see [Plugin.InstanceState].
func (s *Session) InstanceState(ctx context.Context) (InstanceState, error) {
	standing, err := s.unit.instanceState(ctx, reading)
	return standing, withModuleName(err, s.unit.name)
}

// Close ends the session; see [Plugin.Close].
func (s *Session) Close(ctx context.Context) error { return s.unit.close(ctx) }
