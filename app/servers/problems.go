package servers

import (
	"errand/app/config"
	"errand/host/mcp/child"
	"errand/host/tool"
	"errand/planner/message"
)

// Problems lists why servers of the configuration can't be used, or run with fewer limits than usual.
// It starts none. Servers that are off have no problem.
func (s *Set) Problems() []*tool.Error { return s.problems(child.Available()) }

func (s *Set) problems(can child.Confinement) []*tool.Error {
	var all []*tool.Error
	for _, info := range s.List() {
		t := s.o.Config.MCP.Servers[info.Name]
		switch {
		case info.State == Off:
		case info.Problem != nil:
			all = append(all, info.Problem)
		case len(t.Command) > 0:
			if _, err := s.programPath(info.Name, t); err != nil {
				all = append(all, tool.AsError(err))
			} else if t.Confinement() != config.ConfineOff && !can.Files {
				all = append(all, unconfined(info.Name, t))
			}
		}
	}
	return all
}

// unconfined is the problem of a program that this system can't confine.
func unconfined(name string, t config.ToolServer) *tool.Error {
	if t.Confinement() == config.ConfineRequire {
		return tool.UnavailableError("mcp_unconfined", message.New("mcp.unconfined", "server", name)).
			WithHint(message.New("mcp.unconfined_hint", "server", name))
	}
	return tool.UnavailableError("mcp_unconfined", message.New("mcp.runs_unconfined", "server", name)).
		WithHint(message.New("mcp.runs_unconfined_hint", "server", name))
}
