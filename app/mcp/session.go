package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"errand/app/external"
	"errand/host/mcp/server"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/tool/jsonstrict"
	"errand/planner/message"
)

// maxArgs is the most bytes of the arguments of a call.
const maxArgs = 1 << 20

// session is the session of one client.
type session struct {
	*face
	agents *external.Session
}

// Close implements [server.Session].
func (s *session) Close() { s.agents.Close() }

// Call implements [server.Session].
func (s *session) Call(ctx context.Context, name string, raw json.RawMessage, progress func(float64, string)) server.Result {
	args, fault := readArgs(raw)
	if fault != nil {
		return s.failure(fault)
	}
	known := s.names.Load().Tool(name)
	if i := slices.IndexFunc(own, func(t ownTool) bool { return t.name == known }); i >= 0 {
		if fault := checkOwn(own[i], args); fault != nil {
			return s.failure(fault)
		}
		return own[i].call(s.face, ctx, s.agents, args, progress)
	}
	return s.render(s.agents, s.agents.Call(ctx, external.Call{Tool: known, Args: args, Progress: s.hear(progress)}))
}

// readArgs decodes the arguments of a call. A name twice, or a number that can't be kept exactly, is an
// error.
func readArgs(raw json.RawMessage) (map[string]any, *tool.Error) {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	bad := func(m message.Message) *tool.Error { return tool.NewError(tool.ValidationError, "malformed_args", m) }
	if len(raw) > maxArgs {
		return nil, bad(message.New("external.args_too_large", "limit", maxArgs))
	}
	if err := jsonstrict.CheckText(raw); err != nil {
		return nil, bad(message.New("external.bad_args", "cause", err))
	}
	if at, twice := jsonstrict.FindDuplicate(raw); twice {
		return nil, bad(message.New("external.args_twice", "name", at))
	}
	v, err := jsonstrict.Decode(raw)
	if err != nil {
		return nil, bad(message.New("external.bad_args", "cause", err))
	}
	args, ok := v.(map[string]any)
	if !ok {
		return nil, bad(message.New("external.args_no_object"))
	}
	return args, nil
}

// hear returns what tells a client of the progress of a call; nil if it doesn't want that.
func (f *face) hear(progress progressFunc) func(run.Event) {
	if progress == nil {
		return nil
	}
	return func(e run.Event) {
		switch e.Kind {
		case run.StepStarted:
			progress(0, f.o.Text(message.New("external.calling", "tool", e.Tool)))
		case run.StepRunning:
			progress(float64(e.ElapsedMS)/1000, f.o.Text(message.New("external.still_calling", "tool", e.Tool)))
		}
	}
}

// checkOwn checks the arguments of one of the program's own tools.
func checkOwn(t ownTool, args map[string]any) *tool.Error {
	return schemas.Check(tool.Spec{Name: t.name, ArgsSchema: json.RawMessage(t.schema)}, args)
}
