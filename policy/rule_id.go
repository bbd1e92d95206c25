package policy

// Stable ids of what decided, as in [Decision.Rule]. A rule of the config is
// "rules[N]", N counted from 0.
const (
	RuleNone           = "policy.none"           // there is no policy
	RuleFloor          = "floor"                 // the floor alone was asked and has nothing against it
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

	RuleAllowPrivate = "allow_private"      // an address that the person opened
	RuleListed       = "allowlist.listed"   // a pattern of allowed_domains
	RuleUnlisted     = "allowlist.unlisted" // no pattern of allowed_domains
	RuleDenied       = "allowlist.denied"   // a `!` pattern of allowed_domains
	RuleManifest     = "manifest.hosts"     // not among the hosts that the tool's manifest declares

	RulePublic   = "subresources.public"   // a page's own load of a public host over TLS
	RuleInsecure = "subresources.insecure" // a page's own load in clear text from an unlisted host

	RuleRead       = "read"           // reading runs unasked
	RuleUserGoal   = "user_goal"      // a person's own goal on a tool of user_goal_tools
	RuleDefaultAsk = "default.ask"    // every other call waits for a person
	RuleUpload     = "upload.ask"     // plans from uploads always wait for a person
	RuleApproved   = "approved"       // a person has approved this very call
	RuleVoice      = "voice.ask"      // heard words never act unasked
	RuleUntrusted  = "untrusted_text" // the run has read what others wrote, so what changes something is asked about
	RuleBadCall    = "call.invalid"   // a call without tool or side-effect class
	RuleBadRequest = "request.kind"   // a request of no known kind
)

// FlagPublicOnly is in [Decision.Flags] where a host was let in without being
// named: by "*", or as a page's own load. Its name may only lead to public
// addresses; exceptions of allow_private are not for it, or any page could
// reach them by pointing its own name there.
const FlagPublicOnly = "public_only"

// FlagUntrusted is in [Decision.Flags] of a call that changes something in a run
// which has read what others wrote, whichever rule asks.
const FlagUntrusted = "untrusted_text"

// FlagOrder goes with [FlagUntrusted] where something that was read is like an
// order to whoever reads it by machine.
const FlagOrder = "untrusted_order"

var publicOnly = []string{FlagPublicOnly}

func deny(rule, reason string) Decision { return Decision{Verdict: Deny, Rule: rule, Reason: reason} }

func ask(rule, reason string) Decision { return Decision{Verdict: Ask, Rule: rule, Reason: reason} }

func allow(rule, reason string) Decision {
	return Decision{Verdict: Allow, Rule: rule, Reason: reason}
}
