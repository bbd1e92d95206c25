package policy

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// decideCall is for a call before anything happens: the floor under every URL
// that the tool would reach, then who may act unasked, then the rules.
func (p *Policy) decideCall(r *Request) Decision {
	if r.Tool == "" || r.Class != "read" && r.Class != "write" && r.Class != "auth" {
		return deny(RuleBadCall, "the call names no tool, or the tool has no side-effect class")
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
	case found && best.Verdict == Allow && act.Verdict == Ask && act.Rule == RuleDefaultAsk:
		act = best
	}
	// A host that isn't listed is named even where the call needs approval
	// anyway: approving the call would not open the host.
	if reach.Verdict == Ask {
		return r.escalate(reach)
	}
	if act.Verdict == Allow && len(targets) > 0 {
		act.Reason += ", and " + joinHosts(targets) + " may be opened"
	}
	act.Flags = append(slices.Clip(act.Flags), grants...)
	return r.escalate(act)
}

// escalate is d for what the run has read, unless a person approved this very call.
func (r *Request) escalate(d Decision) Decision {
	if r.Approved {
		return d
	}
	return d.Escalate(r.Class, r.Readings)
}

// joinHosts names the hosts of a call for its reason.
func joinHosts(targets []Target) string {
	var hosts []string
	for _, t := range targets {
		if !slices.Contains(hosts, t.Host) {
			hosts = append(hosts, t.Host)
		}
	}
	return strings.Join(hosts, ", ")
}

// decideActor says whether a call may run unasked.
func (p *Policy) decideActor(r *Request) Decision {
	switch {
	case r.Approved:
		return allow(RuleApproved, "a person has approved this call")
	case r.Voice:
		return ask(RuleVoice, "what was heard is confirmed before it is done")
	case r.Class == "read":
		return allow(RuleRead, "it only reads")
	case r.Origin == plan.Upload:
		return ask(RuleUpload, "what comes from an upload is confirmed before it is done")
	case r.Origin == plan.UserGoal && slices.ContainsFunc(p.settings.UserGoalTools, func(g string) bool { return glob(g, r.Tool) }):
		return allow(RuleUserGoal, "you asked for it")
	}
	return ask(RuleDefaultAsk, "it changes something, so it waits for your approval")
}

// decideReach is the floor and the lists under the URLs in a call's arguments,
// the strictest word of all. A tool that navigates reaches every URL that it
// is given, and one that says which it opens reaches those; one that declares
// hosts is held to the floor here and decided again at each fetch; any other tool
// reaches none. Grants are the flags of those
// that the word rests on.
func (p *Policy) decideReach(r *Request) (targets []Target, word Decision, grants []string) {
	worst := allow(RuleFloor, "no URL in its arguments is reached")
	navigates := r.Effect == "navigate"
	urls := r.Opens
	if navigates || len(r.Hosts) > 0 {
		urls = findURLs(r.Args, navigates)
	}
	navigates = navigates || len(r.Opens) > 0
	for _, u := range urls {
		hop := *r
		hop.Kind, hop.URL, hop.From = KindNavigate, u, ""
		var t Target
		var d Decision
		if navigates {
			if len(hop.Hosts) == 0 {
				hop.Hosts = nil // own tools declare none; their URLs are the person's
			}
			t, d = p.decideURL(&hop, KindNavigate)
		} else if t, d = FloorURL(u); t.Addr.IsValid() && p.private.has(addrPort(&t)) {
			d = allow(RuleAllowPrivate, "allow_private opens this address")
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

// findURLs collects the texts in arguments that would be taken for a URL,
// whatever their key and depth, in a stable order. With embedded it takes
// "javascript:x" and "//host" for one too, and finds those inside of prose.
func findURLs(value any, embedded bool) []string {
	return appendURLs(nil, "", value, embedded)
}

func appendURLs(out []string, key string, value any, embedded bool) []string {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if embedded && isSearchKey(k) {
				continue
			}
			out = appendURLs(out, k, v[k], embedded)
		}
	case []any:
		for _, item := range v {
			out = appendURLs(out, key, item, embedded)
		}
	case []string:
		for _, item := range v {
			out = appendURLs(out, key, item, embedded)
		}
	case string:
		switch {
		case v == "":
		case isURLKey(key) || embedded && looksLikeURL(v):
			out = append(out, v)
		case embedded || !strings.ContainsAny(v, " \t\n"):
			out = append(out, findEmbeddedURLs(v)...)
		}
	}
	return out
}

// isURLKey says whether an argument of this name is a URL by its name, so that a
// value without a scheme is held against the floor too.
func isURLKey(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, "url") || strings.HasSuffix(key, "uri") || key == "href"
}

// isSearchKey says whether an argument of this name is what a tool that navigates
// looks for in a page or by an engine. "li:first-child" and "site:example.com"
// are no places: where they lead to is asked when it is known.
func isSearchKey(key string) bool { return key == "locator" || key == "query" }

// looksLikeURL says whether a browser handed this text would take it for a
// URL: "scheme:…" without a space, or "//host". Browsers trim spaces and drop
// tabs and newlines first, so they hide nothing here.
func looksLikeURL(s string) bool {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(s))
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, `\\`) || strings.HasPrefix(s, `/\`) {
		return true
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || len(scheme) < 2 || rest == "" || !isScheme(scheme) {
		return false
	}
	return !strings.ContainsAny(rest, " ") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`)
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !('0' <= s[i] && s[i] <= '9' || strings.IndexByte("+-.", s[i]) >= 0)) {
			return false
		}
	}
	return s != ""
}

// findEmbeddedURLs finds "scheme://…" inside of a longer text, up to the next
// space or quote.
func findEmbeddedURLs(s string) (out []string) {
	for {
		i := strings.Index(s, "://")
		if i < 0 {
			return out
		}
		start := i
		for start > 0 && isScheme("a"+s[start-1:start]) {
			start--
		}
		end := strings.IndexAny(s[i:], " \t\n\r\"'<>`")
		if end < 0 {
			end = len(s) - i
		}
		out = append(out, s[start:i+end])
		s = s[i+end:]
	}
}
