package policy

import (
	"slices"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/glob"
	"errand/policy/urltext"
)

// decideCall decides a call before it runs: by the floor for every URL that the tool
// would reach, by the actor, and by the rules.
func (p *Policy) decideCall(r *Request) Decision {
	if r.Tool == "" || r.Class != "read" && r.Class != "write" && r.Class != "auth" {
		return deny(RuleBadCall, message.New("policy.incomplete_call"))
	}
	if r.Boundary && r.Origin != plan.UserGoal { // no approval and no rule lifts this
		return deny(RuleApplyBoundary, message.New("policy.boundary_tool"))
	}
	targets, reach, grants := p.decideReach(r)
	if reach.Verdict == Deny || p.floor {
		return reach
	}
	act := p.decideActor(r)
	best, found := p.strictestRule(r, targets)
	switch {
	case found && best.Verdict == Deny:
		return best
	case found && best.Verdict == Ask && !r.Approved && act.Verdict != Deny:
		act = best
	case found && best.Verdict == Allow && act.Verdict == Ask && (act.Rule == RuleDefaultAsk || act.Rule == RuleSeveral):
		act = best
	}
	// The reason names an unlisted host even if the call needs approval anyway, because
	// approving the call does not allow the host.
	if reach.Verdict == Ask {
		return r.escalate(reach)
	}
	if act.Verdict == Allow && len(targets) > 0 {
		act.Reason = message.New("policy.opens_hosts", "reason", act.Reason, "hosts", joinHosts(targets))
	}
	act.Flags = append(slices.Clip(act.Flags), grants...)
	return r.escalate(act)
}

// escalate is [Decision.Escalate] for the request, unless the user approved the call.
func (r *Request) escalate(d Decision) Decision {
	if r.Approved {
		return d
	}
	return d.Escalate(r.Class, r.Readings)
}

// joinHosts lists the hosts of a call, for its reason.
func joinHosts(targets []Target) []string {
	var hosts []string
	for _, t := range targets {
		if !slices.Contains(hosts, t.Host) {
			hosts = append(hosts, t.Host)
		}
	}
	return hosts
}

// decideActor decides by origin, tool and class whether a call may run without
// approval.
func (p *Policy) decideActor(r *Request) Decision {
	switch {
	case r.Approved:
		return allow(RuleApproved, message.New("policy.call_approved"))
	case r.Voice:
		return ask(RuleVoice, message.New("policy.voice_needs_approval"))
	case r.Class == "read" && (r.Origin != plan.Upload || r.Effect != "navigate" && len(r.Opens)+len(r.Hosts) == 0): // an upload contacts no host
		return allow(RuleRead, message.New("policy.only_reads"))
	case r.Origin == plan.Upload:
		return ask(RuleUpload, message.New("policy.upload_needs_approval"))
	case r.Several && r.Origin.IsOwn():
		return ask(RuleSeveral, message.New("policy.changes_several"))
	case r.Origin.IsOwn() && slices.ContainsFunc(p.settings.UserGoalTools, func(g string) bool { return glob.Match(g, r.Tool) }):
		return allow(RuleUserGoal, message.New("policy.user_goal"))
	case r.Class == "auth":
		return ask(RuleDefaultAsk, message.New("policy.handles_secrets"))
	}
	return ask(RuleDefaultAsk, message.New("policy.changes_something"))
}

// decideReach decides the URLs that a call reaches by the floor and the lists, and
// returns the strictest decision. A tool that navigates reaches every URL in its
// arguments, and one that lists what it opens reaches those. For a tool with
// declared hosts only the floor counts here, because each fetch is decided again.
// Other tools reach nothing. grants are the flags of the grants that were used.
func (p *Policy) decideReach(r *Request) (targets []Target, strictest Decision, grants []string) {
	worst := allow(RuleFloor, message.New("policy.no_url_reached"))
	navigates := r.Effect == "navigate"
	urls := r.Opens
	if navigates || len(r.Hosts) > 0 {
		urls = urltext.Find(r.Args, navigates)
	}
	navigates = navigates || len(r.Opens) > 0
	for _, u := range urls {
		hop := *r
		hop.Kind, hop.URL, hop.From = KindNavigate, u, ""
		var t Target
		var d Decision
		if navigates {
			if len(hop.Hosts) == 0 {
				hop.Hosts = nil // built-in tools declare no hosts; their URLs are the user's
			}
			t, d = p.decideURL(&hop, KindNavigate)
		} else if t, d = FloorURL(u); t.Addr.IsValid() && p.private.contains(addrPort(&t)) {
			d = allow(RuleAllowPrivate, message.New("policy.allow_private_opens_address"))
		}
		targets = append(targets, t)
		for _, id := range d.Grants() {
			grants = append(grants, flagGrant+id)
		}
		if d.Verdict < worst.Verdict {
			worst = d
		}
	}
	return targets, worst, grants
}

// FutureRun stands for the id of a run or call that does not exist yet, in questions
// asked in advance.
const FutureRun = "to-come"
