package servers

import (
	"errand/host/tool"
	"errand/planner/message"
)

// ServerState says whether a server can be used.
type ServerState string

// States of servers.
const (
	Ready    ServerState = "ready"
	Off      ServerState = "off"
	Unagreed ServerState = "unagreed" // the user has not agreed to it, or not to how it is reached now
	Refused  ServerState = "refused"  // its name belongs to others, or mcp.lock can't be read
)

// Info describes a server of the configuration.
type Info struct {
	Name    string            `json:"name"`
	State   ServerState       `json:"state"`
	Target  string            `json:"target"` // its program, or the address without what may be secret
	Access  []message.Message `json:"access"`
	Tools   []tool.Spec       `json:"tools"` // that the user agreed to
	Running bool              `json:"running"`
	Problem *tool.Error       `json:"problem,omitempty"`
}

// List describes the servers of the configuration, sorted by name. It starts none.
func (s *Set) List() []Info {
	file, err := s.lock()
	list := []Info{}
	for _, name := range s.names() {
		t := s.o.Config.MCP.Servers[name]
		info := Info{Name: name, State: Ready, Target: hostPattern(t.URL), Access: s.access(t), Tools: []tool.Spec{}}
		if len(t.Command) > 0 {
			info.Target = visible(t.Command[0])
		}
		agreed := file.Find(name)
		switch {
		case !t.IsEnabled():
			info.State = Off
		case err != nil:
			info.State, info.Problem = Refused, tool.AsError(err)
		case s.o.Taken(name):
			info.State, info.Problem = Refused, takenName(name)
		case agreed == nil || agreed.Access != t.Access():
			info.State = Unagreed
			info.Problem = tool.UnavailableError("server_unagreed", message.New("mcp.unagreed", "server", name, "before", agreed != nil)).
				WithHint(message.New("mcp.review_hint", "server", name))
		}
		if agreed != nil && info.State == Ready {
			for _, p := range agreed.Tools {
				if made := s.tool(name, t, p); made != nil && Includes(t.Tools, p.Name) {
					info.Tools = append(info.Tools, made.Spec())
				}
			}
		}
		s.mu.Lock()
		held := s.servers[name]
		s.mu.Unlock()
		info.Running = held != nil && held.IsConnected()
		list = append(list, info)
	}
	return list
}
