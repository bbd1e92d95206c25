package servers

import (
	"context"
	"slices"

	"errand/app/config"
	"errand/host/mcp/child"
	"errand/host/mcp/client"
	"errand/host/mcp/pins"
	"errand/host/tool"
	"errand/planner/message"
)

// State says how a tool differs from what the user agreed to.
type State string

// States of tools.
const (
	ToolNew     State = "new"
	ToolChanged State = "changed"
	ToolSame    State = "same"
	ToolGone    State = "gone"
)

// ReviewedTool is a tool of a server, as the server defines it now.
type ReviewedTool struct {
	Name        string `json:"name"` // as Errand calls it
	Own         string `json:"own"`  // the server's own name
	Description string `json:"description"`
	// ClaimsReadOnly: the server says that the tool changes nothing.
	ClaimsReadOnly bool `json:"claims_read_only"`
	// Class is what the user agreed to, or write.
	Class tool.SideEffectClass `json:"class"`
	State State                `json:"state"`
	// Diff has the lines of a changed definition: "- " before the earlier ones, "+ " before the
	// new ones, two spaces before the others.
	Diff []string `json:"diff,omitempty"`

	definition client.Definition
}

// Review is what the user is asked to agree to.
type Review struct {
	Server string            `json:"server"`
	First  bool              `json:"first"`  // the user has not agreed to it before
	Access []message.Message `json:"access"` // how it is reached, what it may use, and what is enforced
	// AccessChanged: it is reached in another way, or may use something else, than the user agreed to.
	AccessChanged bool           `json:"access_changed"`
	Tools         []ReviewedTool `json:"tools"`
	Changes       int            `json:"changes"` // tools that are new, changed or gone

	access string
}

// IsSame reports whether the user agreed to exactly this.
func (r *Review) IsSame() bool { return !r.First && !r.AccessChanged && r.Changes == 0 }

// Review connects to a server, starting it if it is a program, and compares its tools with what the
// user agreed to. It changes nothing.
func (s *Set) Review(ctx context.Context, name string) (*Review, error) {
	t, ok := s.o.Config.MCP.Servers[name]
	if !ok {
		return nil, unknownServer(name, s.names())
	}
	if s.o.Taken(name) {
		return nil, takenName(name)
	}
	file, err := s.lock()
	if err != nil {
		return nil, err
	}
	server, err := s.server(name)
	if err != nil {
		return nil, err
	}
	definitions, err := server.Definitions(ctx)
	if err != nil {
		return nil, err
	}
	agreed := file.Find(name)
	r := &Review{Server: name, First: agreed == nil, Access: s.access(t), access: t.Access(), Tools: []ReviewedTool{}}
	r.AccessChanged = agreed != nil && agreed.Access != r.access
	for _, d := range definitions {
		if Includes(t.Tools, d.Name) {
			r.Tools = append(r.Tools, review(name, d, agreed.Find(d.Name)))
		}
	}
	if agreed != nil {
		for _, p := range agreed.Tools {
			isThere := slices.ContainsFunc(definitions, func(d client.Definition) bool { return d.Name == p.Name })
			if !isThere && Includes(t.Tools, p.Name) {
				r.Tools = append(r.Tools, ReviewedTool{Name: client.ToolName(name, p.Name), Own: p.Name, Class: tool.SideEffectClass(p.Class), State: ToolGone})
			}
		}
	}
	for _, t := range r.Tools {
		if t.State != ToolSame {
			r.Changes++
		}
	}
	return r, nil
}

func review(server string, d client.Definition, before *pins.Tool) ReviewedTool {
	spec := d.Spec(server, false, 0)
	t := ReviewedTool{
		Name: spec.Name, Own: d.Name, Description: visible(spec.Description), ClaimsReadOnly: d.ClaimsReadOnly(),
		Class: tool.Write, State: ToolNew, definition: d,
	}
	if before == nil {
		return t
	}
	if t.Class = tool.SideEffectClass(before.Class); before.Pin == d.Pin() {
		t.State = ToolSame
		return t
	}
	t.State, t.Class = ToolChanged, tool.Write // another definition may be another tool
	if was, err := before.Parse(); err == nil {
		t.Diff = diff(lines(was), lines(d))
	}
	return t
}

// Claimed, among the names of tools that only read, stands for those whose server says so.
const Claimed = "claimed"

// Agree records that the user agreed to what a review shows. reading are the tools, by Errand's or the
// server's names, that only read; all others count as changing something.
func (s *Set) Agree(r *Review, reading []string) error {
	entry := pins.Server{Name: r.Server, Access: r.access, AgreedAt: s.o.Now().UTC()}
	for _, name := range reading {
		if name != Claimed && !slices.ContainsFunc(r.Tools, func(t ReviewedTool) bool { return t.State != ToolGone && (t.Name == name || t.Own == name) }) {
			return tool.NewError(tool.ValidationError, "unknown_tool", message.New("mcp.no_tool_to_mark", "server", r.Server, "tool", name))
		}
	}
	for _, t := range r.Tools {
		if t.State == ToolGone {
			continue
		}
		class := tool.Write
		if slices.Contains(reading, t.Name) || slices.Contains(reading, t.Own) || t.ClaimsReadOnly && slices.Contains(reading, Claimed) {
			class = tool.Read
		}
		entry.Tools = append(entry.Tools, pins.Pin(t.definition, class))
	}
	return s.store.Set(entry)
}

// Reading are the tools that the user agreed to as reading and that are the same.
func (r *Review) Reading() (names []string) {
	for _, t := range r.Tools {
		if t.State == ToolSame && t.Class == tool.Read {
			names = append(names, t.Name)
		}
	}
	return names
}

// Withdraw removes the user's agreement to a server.
func (s *Set) Withdraw(name string) (bool, error) {
	file, err := s.lock()
	if err != nil || file.Find(name) == nil {
		return false, err
	}
	return true, s.store.Remove(name)
}

func takenName(name string) *tool.Error {
	return tool.NewError(tool.ValidationError, "name_taken", message.New("mcp.name_taken", "server", name)).
		WithHint(message.New("mcp.name_taken_hint", "server", name))
}

// access says how a server is reached, what it may use and what is enforced.
func (s *Set) access(t config.ToolServer) []message.Message {
	if t.URL != "" {
		lines := []message.Message{message.New("mcp.access_service", "host", hostPattern(t.URL))}
		if len(t.HeaderEnv) > 0 {
			lines = append(lines, message.New("mcp.access_headers", "headers", sortedKeys(t.HeaderEnv)))
		}
		return append(lines, message.New("mcp.access_texts"))
	}
	lines := []message.Message{message.New("mcp.access_program", "command", visibleAll(t.Command))}
	if len(t.Env) > 0 {
		lines = append(lines, message.New("mcp.access_variables", "variables", t.Env))
	}
	can := child.Available()
	if t.Confinement() == config.ConfineOff {
		can = child.Confinement{}
	}
	if can.Files {
		lines = append(lines, message.New("mcp.access_files", "count", len(t.Folders), "folders", t.Folders))
	} else {
		lines = append(lines, message.New("mcp.access_all_files"))
	}
	switch {
	case t.Network:
		lines = append(lines, message.New("mcp.access_network"))
	case can.Network:
		lines = append(lines, message.New("mcp.access_no_network"))
	default:
		lines = append(lines, message.New("mcp.access_network_open"))
	}
	return append(lines, message.New("mcp.access_not_confined", "files", can.Files), message.New("mcp.access_texts"))
}
