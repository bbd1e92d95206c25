package policy

import "errand/planner/message"

// Stable ids for [Decision.Rule]. A rule of the settings is "rules[N]", counted from 0.
const (
	RuleNone           = "policy.none"           // there is no policy
	RuleFloor          = "floor"                 // only the floor was asked, and it allows
	RuleRaw            = "floor.raw"             // the text of the URL can be read in two ways
	RuleScheme         = "floor.scheme"          // not http, https, ws or wss
	RuleHost           = "floor.host"            // no host, or a spelling of one that is not canonical
	RuleMixedScript    = "floor.mixed_script"    // letters of several scripts in one label
	RuleSpecialName    = "floor.special_name"    // localhost, single labels, private and metadata names
	RuleBadPort        = "floor.bad_port"        // a port of another protocol, or none at all
	RulePrivateAddress = "floor.private_address" // an address that is not public
	RuleNoAnswer       = "floor.no_answer"       // a name without an address
	RuleRedirect       = "floor.redirect"        // too many redirects, or one that can't be followed
	RuleDowngrade      = "floor.downgrade"       // a redirect from TLS to clear text
	RuleApplyBoundary  = "floor.apply_boundary"  // a boundary tool, called by another origin than the user

	RuleAllowPrivate    = "allow_private"           // an address that allow_private allows
	RulePrivateFromPage = "allow_private.from_page" // an address in allow_private, requested by a page of another origin
	RuleListed          = "allowlist.listed"        // a pattern of allowed_domains
	RuleUnlisted        = "allowlist.unlisted"      // no pattern of allowed_domains
	RuleDenied          = "allowlist.denied"        // a `!` pattern of allowed_domains
	RuleManifest        = "manifest.hosts"          // not among the hosts that the tool's manifest declares

	RulePublic   = "subresources.public"   // a page's own load of a public host over TLS
	RuleInsecure = "subresources.insecure" // a page's own load in clear text from an unlisted host

	RuleRead       = "read"           // reading needs no approval
	RuleUserGoal   = "user_goal"      // the user's own goal on a tool of user_goal_tools
	RuleDefaultAsk = "default.ask"    // every other call needs approval
	RuleUpload     = "upload.ask"     // a plan from an upload always needs approval
	RuleSeveral    = "several.ask"    // the user's own goal changes two or more existing things
	RuleApproved   = "approved"       // the user has approved the call
	RuleVoice      = "voice.ask"      // a spoken goal needs approval
	RuleUntrusted  = "untrusted_text" // the run has read untrusted text, and the call changes something
	RuleBadCall    = "call.invalid"   // a call without tool or side-effect class
	RuleBadRequest = "request.kind"   // a request of no known kind
)

// FlagPublicOnly is in [Decision.Flags] if a host is allowed without being listed: by
// "*", or as a page's own load. Its name may resolve only to public addresses.
// Otherwise a page could reach addresses in allow_private by pointing its own name
// there.
const FlagPublicOnly = "public_only"

// FlagUntrusted is in [Decision.Flags] of a call that changes something in a run that
// has read untrusted text.
const FlagUntrusted = "untrusted_text"

// FlagOrder accompanies [FlagUntrusted] if the text resembles an instruction to an
// agent.
const FlagOrder = "untrusted_order"

var publicOnly = []string{FlagPublicOnly}

func deny(rule string, reason message.Message) Decision {
	return Decision{Verdict: Deny, Rule: rule, Reason: reason}
}

func ask(rule string, reason message.Message) Decision {
	return Decision{Verdict: Ask, Rule: rule, Reason: reason}
}

func allow(rule string, reason message.Message) Decision {
	return Decision{Verdict: Allow, Rule: rule, Reason: reason}
}
