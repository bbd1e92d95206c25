package print

import (
	"errand/app/grants"
	"errand/planner/message"
	"errand/policy"
)

// ShowGrant prints the answer of a command that made or ended a grant.
func (s *Console) ShowGrant(g grants.Grant) {
	if s.JSON {
		s.Document(g)
		return
	}
	extent := message.New("cli.grant_extent", "scope", g.Scope)
	if g.Run != "" && g.Scope != policy.Always {
		extent = message.New("cli.grant_extent_run", "run", g.Run)
	}
	subject := GrantSubject(g)
	switch {
	case subject != nil && !g.Until.IsZero():
		extent = message.New("cli.grant_extent_subject_until", "scope", extent, "subject", subject, "until", GrantEnd(g))
	case subject != nil:
		extent = message.New("cli.grant_extent_subject", "scope", extent, "subject", subject)
	case !g.Until.IsZero():
		extent = message.New("cli.grant_extent_until", "scope", extent, "until", GrantEnd(g))
	}
	if g.State == grants.Revoked {
		s.Printf("%s  %s", PaintMessage(Yellow, "cli.grant_revoked"), g.Name())
		s.Print("cli.grant_was_allowed", "extent", extent)
		return
	}
	s.Printf("%s  %s", PaintMessage(Green, "cli.grant_allowed"), g.Name())
	s.Printf("  %s", extent)
	if !g.Note.IsZero() {
		s.Sayf("  %s", g.Note)
	}
	s.Notef("%s", Paint(Quiet, revokeCommand(g.ID)))
}

// GrantSubject formats the subject of a grant; nil: everything.
func GrantSubject(g grants.Grant) []message.Message {
	var parts []message.Message
	for _, p := range [][2]string{{"tool", g.Tool}, {"plugin", g.Plugin}, {"origin", string(g.Origin)}} {
		if p[1] != "" {
			parts = append(parts, message.New("cli.grant_subject", "kind", p[0], "name", p[1]))
		}
	}
	return parts
}

// GrantEnd formats the end of a grant in local time; empty: never.
func GrantEnd(g grants.Grant) string {
	if g.Until.IsZero() {
		return ""
	}
	return g.Until.Local().Format("2006-01-02 15:04")
}

// GrantState formats the state of a grant and who changed it.
func GrantState(g grants.Grant) message.Message {
	switch g.State {
	case grants.Used:
		return message.New("cli.grant_used_by", "run", g.Run)
	case grants.Revoked:
		return message.New("cli.grant_revoked_by", "user", g.RevokedBy)
	}
	return message.New("cli.grant_state", "state", g.State)
}

func revokeCommand(id string) string { return "errand policy revoke " + id }
