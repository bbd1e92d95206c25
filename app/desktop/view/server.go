package view

import (
	"errand/app/servers"
	"errand/host/tool"
	"errand/planner/message"
)

// Server is a server of the Model Context Protocol in the list.
type Server struct {
	Name    string            `json:"name"`
	State   string            `json:"state"`  // ready, off, unagreed, refused
	Target  string            `json:"target"` // its program or host
	Access  []message.Message `json:"access"` // how it is reached, and what it may use
	Tools   []ServerTool      `json:"tools"`  // that the user agreed to
	Problem *Failure          `json:"problem"`
}

// ServerTool is a tool of a server.
type ServerTool struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Reads       bool     `json:"reads"`  // the user said that it only reads
	Claims      bool     `json:"claims"` // the server says so
	State       string   `json:"state"`  // new, changed, same, gone
	Diff        []string `json:"diff"`   // lines that begin with "- ", "+ " or two spaces
}

// ServerReview is what the user is asked to agree to.
type ServerReview struct {
	Token  string            `json:"token"` // for [API.AgreeServer]; valid until the next review
	Name   string            `json:"name"`
	First  bool              `json:"first"` // the user has not agreed to it before
	Same   bool              `json:"same"`  // the user agreed to exactly this
	Access []message.Message `json:"access"`
	Tools  []ServerTool      `json:"tools"`
}

// ServerAgreement accepts a review.
type ServerAgreement struct {
	Token   string   `json:"token"`
	Reading []string `json:"reading"` // tools that only read
}

// NewServers describes the servers of the configuration.
func NewServers(list []servers.Info) []Server {
	out := make([]Server, len(list))
	for i, s := range list {
		out[i] = Server{Name: s.Name, State: string(s.State), Target: s.Target, Access: OrEmpty(s.Access), Tools: []ServerTool{}, Problem: NewFailure(s.Problem)}
		for _, t := range s.Tools {
			out[i].Tools = append(out[i].Tools, ServerTool{Name: t.Name, Description: t.Description, Reads: t.SideEffectClass == tool.Read, State: string(servers.ToolSame), Diff: []string{}})
		}
	}
	return out
}

// NewServerReview describes a review.
func NewServerReview(token string, r *servers.Review) ServerReview {
	out := ServerReview{Token: token, Name: r.Server, First: r.First, Same: r.IsSame(), Access: OrEmpty(r.Access), Tools: []ServerTool{}}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, ServerTool{Name: t.Name, Description: t.Description, Reads: t.Class == tool.Read, Claims: t.ClaimsReadOnly, State: string(t.State), Diff: OrEmpty(t.Diff)})
	}
	return out
}
