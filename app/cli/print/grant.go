package print

import (
	"strings"

	"errand/app/grants"
	"errand/policy"
)

// ShowGrant is the answer of a command that made or ended a grant.
func (s *Console) ShowGrant(g grants.Grant) {
	if s.JSON {
		s.Document(g)
		return
	}
	words := map[policy.Scope]string{
		policy.Once: "for the next call that needs it", policy.ForRun: "for the next run that needs it", policy.Always: "always",
	}[g.Scope]
	if only := GrantSubject(g); only != "" {
		words += ", for " + only + " alone"
	}
	if !g.Until.IsZero() {
		words += ", until " + GrantEnd(g)
	}
	if g.State == grants.Revoked {
		s.Print("%s  %s", Paint(Yellow, "revoked"), g.Pattern)
		s.Print("  it was allowed %s", words)
		return
	}
	s.Print("%s  %s", Paint(Green, "allowed"), g.Pattern)
	s.Print("  %s", words)
	if g.Note != "" {
		s.Say("  %s", g.Note)
	}
	s.Note("%s", Paint(Quiet, "errand policy revoke "+g.ID))
}

// GrantSubject is the subject of a grant; empty: everything.
func GrantSubject(g grants.Grant) string {
	var parts []string
	for _, p := range [][2]string{{"tool", g.Tool}, {"plugin", g.Plugin}, {"origin", string(g.Origin)}} {
		if p[1] != "" {
			parts = append(parts, p[0]+" "+p[1])
		}
	}
	return strings.Join(parts, ", ")
}

// GrantEnd is when a grant ends, in local time; empty: never.
func GrantEnd(g grants.Grant) string {
	if g.Until.IsZero() {
		return ""
	}
	return g.Until.Local().Format("2006-01-02 15:04")
}

// GrantState is the state of a grant, with who caused it.
func GrantState(g grants.Grant) string {
	switch g.State {
	case grants.Used:
		return "used by run " + g.Run
	case grants.Revoked:
		return "revoked by " + g.RevokedBy
	}
	return string(g.State)
}
