package quarantine

import (
	"strings"
)

// rule is one kind of evidence.
type rule struct {
	technique string
	weight    float64
	pattern   *pattern
	// need are words one of which every match has: the rule costs little where
	// none is in the text.
	need []string
	// order says that the match begins with a verb, which has to be an order:
	// not negated, not told of somebody else.
	order bool
	// verb says that the match begins with any word, which must be one that can
	// be a verb.
	verb bool
	// concealedOnly keeps a rule to views of what is not in plain sight.
	concealedOnly bool
	// raw matches the text before folding.
	raw bool
	// with names techniques: the rule counts only in a passage that has
	// evidence of one of them, of weight 2 or more.
	with []string
	// lang keeps a rule with such needs to evidence of its own language, whose
	// words may be words of others.
	lang string
	// contents are literals one of which is in every match; nil: unknown. The
	// book fills it in.
	contents []string
	// unopened keeps a rule on closing tags to those that nothing opened.
	unopened bool
}

// Classes of words, as alternatives. They are composed into rules below.
const (
	// overrideHard are verbs that set instructions aside and mean little else.
	overrideHard = `ignor(?:e|ing)|disregard|forget|disobey|pay no (?:attention|heed|mind) to|do(?:n't| not) (?:follow|obey|listen to|adhere to|comply with)|(?:stop|cease|quit) (?:following|obeying|heeding|respecting)|do(?:n't| not) (?:heed|respect|honou?r|abide by)|overlook|refuse to follow|unlearn|give no weight to|never mind|set aside|put aside|throw (?:out|away)|wipe`
	// overrideSoft are verbs of everyday work as well.
	overrideSoft = `overrid(?:e|ing)|overrule|bypass|circumvent|discard|dismiss|neglect|omit|drop|cancel|abandon|erase|delete|nullify|void|skip|overwrite|replace|reset|remove|clear|revoke|supersede|violate|break`
	// given are words that say: what you were told so far.
	given = `previous|prior|earlier|above|preceding|past|former|foregoing|existing|current|original|initial|your|all|any|every|everything|system|developer'?s?|other|old|prev|aforementioned|stated|user'?s?|safety|internal|built-?in|default|these|those|established`
	// metaCore are what an agent runs on, in words of nobody's everyday.
	metaCore = `instructions|instrutions?|insturctions?|instrucions?|prompts?|directives?|system (?:prompts?|messages?|instructions?|rules)|guard ?rails?|programming|safeguards|alignment|safety (?:policy|policies|rules|guidelines|filters?|protocols?|training)|content (?:policy|policies|filters?)`
	metaWide = `goals?|objectives?|assignments?|directions|rules?|guidelines?|commands?|orders|guidance|constraints?|restrictions?|policies|policy|context|training|tasks?|limitations|protocols?|settings`
	// toldYou is everything that you were told.
	toldYou = `(?:everything|anything|all|whatever|what)(?: that| which| of what)? (?:you(?:'ve| have| were|'re| are| had)?(?: been)? (?:told|given|taught|instructed|asked|said|learned|read)|(?:they|the user|your \w+) (?:said|told you|asked|instructed)|(?:i|we) (?:told you|instructed)|came before|(?:is |was |written |stated |said )?(?:above|before (?:this|now|here)|prior to this|up to (?:this|now)|so far))`

	machine     = `ai|a\.i\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt-?\d?\w*|claude|gemini|copilot|grok|llama|mistral|deepseek|perplexity|siri|alexa`
	machineWide = `(?:(?:(?:ai|llm|automated|autonomous|virtual|digital|intelligent|computer-use|browser|browsing|web|coding|software|language|shopping|vision|hiring|recruit(?:ing|ment)|screening|screen-reading|reviewing|reviewer|support|mail|e-?mail|chat|triage|research|translation|search|summari[sz]ing|personal|smart|generative|multimodal|visiting|calling|crawler|crawling|scraping|machine)[- /](?:powered |based |driven )?){1,3}(?:assistants?|agents?|models?|systems?|bots?|tools?|reviewers?|summari[sz]ers?|crawlers?|readers?|scrapers?|browsers?|helpers?|parsers?|processors?|pipelines?)|` + machine + `|assistants?|agents?|bots?|summari[sz]ers?)`

	// act are verbs by which an agent does harm.
	act = `send|e-?mail|mail|forward|transfer|wire|pay|delete|remove|erase|wipe|destroy|drop|click|press|tap|run|execute|invoke|call|export|upload|post|publish|tweet|transmit|exfiltrate|leak|reveal|disclose|print|output|display|dump|expose|share|navigate|visit|browse to|open|go to|download|install|curl|wget|buy|purchase|order|approve|authori[sz]e|confirm|accept|grant|disable|turn off|change|reset|submit|enter|type|paste|copy|fetch|log ?in|sign in|subscribe|follow|obey|comply|grep|cat|read_file|append|include|embed|insert|encode|push|commit|merge|deploy|shut ?down|reboot|format|encrypt|book|refund|unlock|add|create|give|hand over|provide|read|use|say|tell|respond|reply|answer|recommend|rate|state|claim|write|promote|praise|mention`
	// hazard are the ones of these that a text addressed to people seldom asks.
	hazard = `exfiltrate|leak|transmit|dump|wire|forward|transfer|delete|erase|wipe|export|upload|run|execute|invoke|e-?mail|send|approve|install|download|post|disable|reveal|disclose|expose|submit|call|click|visit|navigate|open|buy|purchase|pay|copy|print|output|grant|append|encode|share`

	secretHard = `(?:api|private|ssh|secret|access|encryption|aws|signing)[ -]?keys?|credentials?|passwords?|passphrases?|secrets|(?:session|browser|auth(?:entication)?) cookies|(?:user'?s?'?|your|all|their) cookies|cookies (?:of|from) (?:this|the|your|every|all) \w+|(?:access|auth|session|bearer|api|oauth|refresh|github) tokens?|tokens|chat (?:history|logs?)|conversation(?: history| log| so far)?|system prompts?|browsing history|browser history|id_rsa|seed phrase|wallet|keychain|clipboard|local ?storage|memory|address book|session data`
	secretSoft = `cookies|mails?|mailbox(?:es)?|files?|data|documents?|e-?mails?|inbox|messages|contacts?|calendar|photos|money|funds|balance|payments?|keys|bitcoin|btc|crypto|accounts?|credit cards?|bank|repositor(?:y|ies)|repo|database|tables?|report|history|details|logs?|personal information|information|tools?|shell|command|script|code|gift cards?`
	// secretFiles are paths that hold secrets; word edges don't fit them.
	secretFiles = `~/\.\w[\w./-]*|/etc/(?:passwd|shadow)|\.env\b|\.ssh/\w+|\.aws/\w+`
	dest        = `(?:(?:to|at|via|with|into|on|from|of)[^\pL\pN]+(?:\S+ ){0,4}?)?(?:https?://|www\.|hxxps?|\S+@\S+\.\w|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|example|xyz|ru|tk|test|invalid|info|co|me|app|dev|site|evil)\b)`
)

// gap allows up to n words between two others, within a sentence.
func gap(n string) string {
	return `(?:[^\pL\pN.!?;"\x60]+[\pL\pN'_-]+){0,` + n + `}?[^\pL\pN.!?;"\x60]+`
}

func alt(classes ...string) string { return `(?:` + strings.Join(classes, "|") + `)` }

// secret is anything that gives access or is private by nature.
var secret = alt(word(secretHard), secretFiles)

// taken is what is secret once it goes to an address.
var taken = alt(word(secretHard+`|cookies|mailbox|env(?:ironment)? (?:variables?|vars?)`), secretFiles)

// word puts edges around a pattern.
func word(p string) string { return `\b(?:` + p + `)\b` }

var (
	ignoreNeed = strings.Fields("cease quit overlook heed respect honor honour abide ignor disregard forget disobey attention heed follow obey listen adhere comply refus unlearn weight never aside throw wipe overrid overrule bypass circumvent discard dismiss neglect omit drop cancel abandon eras delet nullif void skip overwr replac reset remov clear revok supersed violat break")
	aiNeed     = strings.Fields("ai a.i. llm model bot gpt claude gemini copilot grok llama mistral deepseek perplexity siri alexa assistant agent automated autonomous crawler scraper reader summari")
)

// english are the rules for English, whose imperatives need the most care.
// Those for other languages are in languages.go.
func english() []rule {
	return []rule{
		// Setting instructions aside.
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard)) + `(?:` + gap("4") + word(given) + `)+?` + gap("3") + word(metaCore)),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard)) + gap("3") + word(`all|any|every|each|your|system|developer'?s?|original|initial|safety|user'?s?`) + gap("3") + `instruction\b`),
		},
		{
			// One instruction is also a step of a recipe.
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard)) + gap("4") + `instruction\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard, overrideSoft)) + gap("3") + word(metaCore+`|instruction`) + gap("2") + word(`above|before|(?:that )?you (?:were|have|had|received|got)|given to you|from (?:the )?(?:user|system|developer)s?|(?:of|in|within) (?:the |your )?(?:system|user|developer)|so far|and (?:instead|do|follow|send|run|reveal|print)`)),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard)) + `[^\pL\pN]+` + `(?:about )?` + toldYou),
		},
		{
			// "Forget what I said" is how people take back their own words.
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + `[^\pL\pN]+(?:everything|anything|all|whatever|what)(?: that)? (?:i|we)(?:'ve| have)? (?:said|asked|wrote|posted)\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(overrideSoft) + gap("2") + word(`previous|prior|earlier|preceding|your|system|original|all|any|safety|initial|these`) + gap("2") + word(metaCore)),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard, overrideSoft)) + gap("3") + word(`previous|prior|earlier|above|preceding|your|all|any|system|original|these|other|current|existing`) + gap("2") + word(metaWide)),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + `[^\pL\pN]+(?:the |their |this )?(?:user'?s?|rubric|criteria|scoring|human'?s?)(?: (?:questions?|requests?|query|queries|instructions|messages?|input|goals?|tasks?|preferences|wishes))?\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + `[^\pL\pN]+` + word(`(?:all|everything|anything|that|the above|what came before|previous text|the rest|all (?:of )?(?:the |that |this )?(?:above|before|previous|prior|that))`) + `[^\pL\pN]+(?:and|then|now|instead|just|,|export|send|print|say|run|text|content)`),
		},
		{
			technique: "instruction_override", weight: 2, need: strings.Fields("instruction task directive objective order goal mission prompt command job priorit"),
			pattern: re(word(`new|updated|revised|real|actual|true|correct|corrected|right|proper|replacement|overriding|secret|hidden|special`) + `[^\pL\pN]+(?:system |priority |primary |main |top )?` + word(`instructions?|tasks?|directives?|objectives?|orders|goals?|mission|prompt|commands?|priority|job|role`) + `(?: (?:is to|are to|follows?|for you|below|begin|start|as follows)\b|\s*[:=])`),
		},
		{
			technique: "instruction_override", weight: 2, need: []string{"your "},
			pattern: re(`\byour (?:new |real |only |actual |true |next |updated |primary |main |sole |secret )+(?:instructions?|tasks?|directives?|objectives?|orders|goals?|mission|purpose|priority|job|role|identity)\b`),
		},
		{
			technique: "instruction_override", weight: 1.5, need: []string{"from now on", "henceforth", "going forward", "from this point", "for the rest of"},
			pattern: re(`\b(?:from now on|henceforth|from this point (?:on|onwards?|forward)|for the rest of (?:this|the) (?:conversation|session|chat)|going forward)\b.{0,40}\b(?:you|your|always|only|never|respond|answer|reply|act|obey|every|all|do)\b`),
		},
		{
			technique: "instruction_override", weight: 1.5, need: []string{"instead"},
			pattern: re(`\b(?:instead,? (?:of (?:that|this|summari\w+|answering|following|the \w+),? )?(?:you (?:must|should|will|need to) |please )?` + alt(hazard, "do", "say", "respond", "reply", "output", "write", "act", "list", "show", "tell", "answer", "repeat") + `\b|` + alt(hazard) + `\b[^.!?]{0,60}\binstead\b)`),
		},
		{
			technique: "instruction_override", weight: 2, need: []string{"stop ", "halt ", "abort "},
			pattern: re(`\b(?:stop|halt|abort|pause|quit) (?:what(?:ever)? you(?:'re| are) doing|everything\b|(?:the |your )?(?:current|previous|original) (?:task|job|work|summary)|summari[sz]ing|here and|processing|reading)`),
		},
		{
			technique: "instruction_override", weight: 2, need: []string{"end of", "end_of", "begin", "</"},
			pattern: re(`\b(?:end[ _]of[ _](?:the )?(?:document|context|input|data|page|user input|content|text|article|file|prompt|web ?page|email|transcript|results?|instructions)|(?:document|page|article|context|input|content|email|summary) ends? here)\b.{0,80}\b(?:new|now|system|instructions?|task|you|begin|assistant|user)\b`),
		},
		{
			technique: "instruction_override", weight: 3, need: strings.Fields("ignor disregard forget override bypass"),
			pattern: re(`\b(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|of|my|these|every|previous|prior|above|earlier|preceding|system|safety)+(?:instructions?|prompts?|directions|directives|rules|guidelines)`),
		},

		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + `[^\pL\pN]+(?:all |any )?(?:of )?your (?:\w+ )?(?:rules|guidelines|restrictions|policies|policy|constraints|limitations|orders|commands|training|values|ethics)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: []string{"obey", "listen", "follow", "trust", "adhere"},
			pattern: re(`\b(?:do(?:n't| not)|never|stop) (?:obey(?:ing)?|listen(?:ing)? to|follow(?:ing)?|trust(?:ing)?) (?:the |your )?(?:developers?|users?|system|owner|human|operator|creators?|anyone else|anybody else|openai|anthropic)\b`),
		},
		{
			technique: "instruction_override", weight: 3, need: strings.Fields("supersed cancel void revok replac overrid obsolete null valid suspend outdated"),
			pattern: re(`\b(?:your|all|any)(?: of)?(?: your| the)?(?: previous| prior| earlier| original| current| existing| other| system)* (?:instructions?|prompts?|directives|guardrails|system (?:prompt|message))(?: \w+){0,4}? (?:have been|has been|are|were|is) (?:now |hereby |all |therefore )?(?:superseded|cancell?ed|void|revoked|replaced|overridden|obsolete|null|no longer (?:valid|active)|suspended|outdated|invalid)\b`),
		},
		{
			technique: "action_order", weight: 1.5, need: []string{"obey", "comply", "listen to me", "answer only to", "serve only"},
			pattern: re(`\b(?:obey|listen to|serve|comply with|answer(?: only)? to|follow)(?: only)? (?:me|my (?:orders|commands|instructions)|this (?:page|text|document|author)|the (?:page|page author|attacker|author|document))\b`),
		},

		// What the agent runs on.
		{
			technique: "prompt_leak", weight: 3, order: true, need: strings.Fields("prompt instruction message rules guidelines configuration text words"),
			pattern: re(word(`reveal|print|show|output|repeat|display|leak|dump|disclose|expose|write(?: out| down)?|tell (?:me|us)|give (?:me|us)|share|return|list|send|e-?mail|post|copy|paste|export|translate|summari[sz]e|encode|recite|quote|provide|include|append|begin (?:your|the) (?:answer|reply|response) with|start (?:your|the) (?:answer|reply|response) with`) + gap("6") +
				`(?:system[ -]?(?:prompt|message|instructions?)|(?:your (?:\w+ ){0,3}?|(?:the|all|any|those|these) (?:(?:full|entire|complete|exact|secret|hidden|initial|original|internal|system|developer|confidential|very) )+)(?:prompts?|instructions|system message|guidelines|configuration|directives)\b(?: verbatim| word for word| in full| above)?)`),
		},
		{
			technique: "prompt_leak", weight: 3, order: true, need: []string{"above", "before"},
			pattern: re(word(`repeat|print|output|reveal|copy|write out|recite|return|display|show`) + `[^\pL\pN]+(?:me )?(?:back )?(?:all|everything|the (?:text|words|content|lines|paragraphs?)|any text|verbatim)(?: of)?(?: the)?(?: text| words| lines| content)?[^\pL\pN]+(?:written |that (?:is|was|comes|came) |you (?:were|have been) (?:told|given) )?(?:above|before|prior)`),
		},

		{
			technique: "prompt_leak", weight: 3, need: []string{"prompt", "instruction"},
			pattern: re(`\bwhat (?:is|are|was|were|would|does|do|'s)[^.!?]{0,20}\b(?:your|the) (?:\w+ ){0,2}?(?:system[ -]?(?:prompt|message|instructions?)|(?:initial|hidden|original|secret|internal) (?:prompts?|instructions|guidelines))\b`),
		},
		{
			technique: "prompt_leak", weight: 3, need: []string{" of your "},
			pattern: re(`\b(?:text|copy|contents?|wording|transcript|version|dump|listing|summary) of your (?:\w+ ){0,3}(?:prompt|instructions|guidelines|configuration|rules|directives|system message)\b`),
		},
		{
			technique: "prompt_leak", weight: 2, need: []string{"told", "instructed", "programmed", "given"},
			pattern: re(`\bwhat (?:were|are|have) you (?:been )?(?:originally |initially |just )?(?:told|instructed|programmed|given|asked)\b`),
		},
		{
			technique: "prompt_leak", weight: 2, order: true, need: []string{"verbatim", "exactly", "word for word", "in full"},
			pattern: re(`\b(?:repeat|print|output|write|recite|quote|copy)\b[^.!?]{0,30}\b(?:verbatim|exactly|word for word|in full)\b`),
		},

		// Playing somebody without rules.
		{
			technique: "role_play", weight: 3, order: true, need: append(strings.Fields("pretend act imagine role simulat assume suppos behav respond play you're answer speak"), "you are", "you will"),
			pattern: re(word(`pretend|act(?:ing)?|imagine|role-?play(?:ing)?|simulate|assume|suppose|behave|respond|answer|play|speak|you are now|you're now|you will (?:now )?(?:be|act)`) + `\b[^!?]{0,160}?` +
				`\b(?:(?:no|without|free (?:of|from)|zero|lacks?|ignores?|ignoring|freed from|not bound by|unbound by|outside)(?: \w+){0,3} (?:restrictions?|rules|limits?|limitations|filters?|guidelines|policies|policy|constraints|ethics|ethical|moral\w*|censorship|boundaries|safeguards|safety|guard ?rails?|checks|permission|refusals?|supervision)|(?:doesn't|does not|don't|do not|never|no longer) needs? (?:any )?(?:permission|approval|confirmation|consent|to ask)|needs? no (?:permission|approval|confirmation)|unrestricted|unfiltered|uncensored|jailbr\w+|do anything now|(?:filters?|restrictions|safety|guardrails|limits|policy|rules) (?:are |is |being )?(?:switched off|turned off|disabled|removed|off|gone)|(?:do(?:es)? not|doesn't|don't|no longer) (?:apply|exist|have (?:any )?(?:rules|restrictions|filters|limits))|can do anything|evil|malicious|amoral|dan\b)`),
		},
		{
			technique: "role_play", weight: 3, need: []string{"anything now", "jailbr", " dan ", "dan mode", "god mode", "unrestricted", "developer mode", "debug mode", "admin mode", "maintenance mode", "sudo mode", "root mode", "test mode", "training mode", "diagnostic mode"},
			pattern: re(`\bdo anything now(?:$|[^ ]| [^t]| t[^h])|\b(?:you are|you're|act as|become|as|be|called|enable|activate|enter|switch to|in) (?:now )?(?:in )?(?:a |an |the )?(?:dan\b|dan mode|god mode|jailbroken|jailbreak mode|unrestricted(?: mode| ai| assistant| and)?)|\b(?:you are|you're|are) (?:now |currently )?in (?:a )?(?:developer|debug|admin|maintenance|sudo|root|test|training|diagnostic|unrestricted|god|override) mode|\b(?:developer|debug|admin|maintenance|sudo|root|diagnostic|god|dan|unrestricted) mode (?:is |has been |now )*(?:enabled|activated|on|engaged|unlocked)\b.{0,80}\b(?:you|no|all|ignore|without|now|output|respond|restrictions|reveal|print)`),
		},
		{
			technique: "role_play", weight: 3, need: []string{"without", "with no", "with zero", "free of", "free from"},
			pattern: re(`\b(?:ai|assistant|model|chat ?bot|bot|agent|llm|gpt\w*)\b,? (?:that (?:is|has|works|operates) )?(?:without|with no|with zero|free of|free from) (?:any |all |the )?(?:\w+ )?(?:restrictions?|rules|limits?|limitations|filters?|guidelines|policies|policy|constraints|ethics|censorship|morals|boundaries)\b`),
		},
		{
			technique: "role_play", weight: 3, need: []string{"your "},
			pattern: re(`\byour (?:\w+ )?(?:safety|content|security|usage|ethical|moderation|ai) ?(?:policy|policies|rules|guidelines|filters?|restrictions|checks|protocols?|guardrails?|limits) (?:are|is|have been|has been) (?:now |temporarily |hereby )?(?:disabled|off|turned off|suspended|lifted|void|waived|removed|deactivated|bypassed|cancell?ed)\b`),
		},
		{
			technique: "role_play", weight: 2, need: []string{"apply", "disabled", "lifted", "suspended", "off", "void", "bypassed", "waived", "removed", "inactive", "deactivated", "no longer"},
			pattern: re(`\b(?:your |the |all |any )?(?:safety|content|security|usage|ethical|previous|ai|moderation) ?(?:policy|policies|rules|guidelines|filters?|restrictions|instructions|checks|protocols?|guardrails?|limits) (?:do(?:es)? not apply|don't apply|doesn't apply|(?:are|is|have been|has been) (?:now |temporarily |hereby )?(?:disabled|off|turned off|suspended|lifted|void|waived|removed|deactivated|bypassed)|no longer appl(?:y|ies))`),
		},
		{
			technique: "role_play", weight: 2, need: []string{"apply", "exist"},
			pattern: re(`\b(?:your|all|any|no) (?:\w+ )?(?:rules|policies|policy|restrictions|guidelines|filters|limits|instructions) (?:do not|don't|no longer|will not|won't|doesn't|does not) (?:apply|exist)\b`),
		},
		{
			technique: "role_play", weight: 2, need: []string{"have no", "has no", "had no", "are not", "no longer", "need no", "nothing "},
			pattern: re(`\bnothing (?:limits|restricts|binds|constrains|stops) you\b|\b(?:you|models?|ais?|assistants?) (?:have no|has no|had no|are not|are no longer|no longer have|need no) (?:any |bound by |subject to |limited by |restricted by )*(?:\w+ )?(?:limits?|limitations|restrictions?|rules|filters?|guidelines|policies|morals|ethics)\b`),
		},
		{
			technique: "role_play", weight: 2, need: []string{"you are", "you're"},
			pattern: re(`\byou(?: are|'re) (?:gpt|dan|evil\w*|\w+bot)\b|\byou(?: are|'re) (?:now |no longer |actually |really )(?:a |an |the |my |bound |in |free |unrestricted|under |operating |acting |called |known )?(?:\w+[ -]){0,3}?(?:ai|assistant|model|bot|agent|chatbot|dan|hacker|pirate|terminal|interpreter|unrestricted|control|owner|rules|guidelines|restrictions|instructions|policy|admin|root|developer|expert|persona|system|constraints|openai|anthropic|google)\b`),
		},

		// Speaking to machines.
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`(?:\b(?:note|message|attention|notice|instructions?|important(?: information)?|warning|hint|reminder|info(?:rmation)?|memo|directive|command|request|read this|guidance|tips?)\b(?: \w+)?[^\pL\pN]+(?:to|for)[^\pL\pN]+(?:all |any |the |every |our |other |future |my )*` + word(machineWide) + notNoun +
				`|(?:(?:^|[\n.!?:;"'(\[*#])\s*>?\s*|>|-\s+)(?:dear|hey|hello|hi|attention|ok|okay|yo|psst|listen,?|to (?:all|any|the)|for (?:all|any|the)?|important:?|calling all|fellow|all|any)?,?[^\pL\pN.]*` + alt(machineWide) + `(?:[,:!]|\.\s+(?:please|could|would|can|you|i|we)\b| (?:reading|processing|parsing|visiting|viewing|browsing|summari[sz]ing|crawling|scraping|analy[sz]ing|ingesting|reviewing|triaging|grading|that (?:reads?|process\w*)|who (?:reads?|process\w*)|please|you (?:must|should|are))))`),
		},
		{
			technique: "agent_directed", weight: 1.5, need: aiNeed,
			pattern: re(`(?:^|[\n.!?:;>"'(\[*#]\s*)` + alt(machineWide) + ` (?:must|should|shall|need to|have to)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`(?:^|[\n.!?:;>"'(\[*#]\s*)(` + alt(machineWide) + ` (?:must|should|shall|need to|have to)) (?:now |first |always |please )?(?:click|press|tap|visit|open|buy|pay|send|forward|call|navigate|log in|sign in|subscribe|upload|delete|transfer|enter|type|fill|download|install|go to|submit|approve)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(` + alt(machineWide) + ` (?:must|should|shall|needs? to|ha(?:s|ve) to))\b[^.!?\n]{0,60}?\b(?:this|our|my|these) (?:\w+ )?(?:page|site|website|document|text|form|post|article|e-?mail|message|repo\w*|file|shop|store|product|candidate|paper|invoice|ticket|listing|review|company)\b`),
		},
		{
			technique: "agent_directed", weight: 1.5, need: aiNeed,
			pattern: re(`\b(?:the|an?|any|all|every|each) ` + alt(machineWide) + ` (?:must|should|shall|needs? to|has to|have to|is (?:required|instructed|expected) to|are (?:required|instructed|expected) to) (?:now |immediately |first |always |also )?(?:` + hazard + `|include|attach|recommend|reset|change|reply with|enter|provide|type|paste|log in|sign in|give|ignore|disregard|bypass|delete|disable|obey|comply)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:if|when|since|because|as|in case|for|whenever|while|should) (?:you(?:'re| are| happen to be)?|this (?:page |text |document |message |email )?is (?:being )?(?:read|processed|parsed|summari[sz]ed|analy[sz]ed|viewed) by)(?: (?:reading this|a|an|the|any|some|indeed|really|actually|currently))* ` + alt(machineWide) + notNoun),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:as (?:a|an|the) ` + alt(machineWide) + `,? (?:with |having |capable |able |you|it is your|your (?:task|job|duty)|handling|reading|processing|assisting|helping|responding|summari[sz]ing|reviewing|assigned|in charge)|you(?:,| are| as) (?:a |an |the )(?:\w+ )?` + alt(machineWide) + `[,:]? ?(?:must|should|need|have to|are|reading|processing|that|and|,|\.))`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:if|when|once|whenever|as soon as|after|before) (?:an?|any|the|your|some) ` + alt(machineWide) + ` (?:reads?|process(?:es)?|visits?|summari[sz]es?|sees?|opens?|encounters?|parses?|access(?:es)?|receives?|loads?|scans?|reviews?|analy[sz]es?|is (?:asked|reading|processing))\b`),
		},
		{
			technique: "agent_directed", weight: 2, order: true, need: aiNeed,
			pattern: re(`\b(?:any|all|every|the|your) ` + alt(machineWide) + ` (?:that |which |who )?(?:reading|reads?|processing|process(?:es)?|visiting|visits?|accessing|encountering|summari[sz]ing|handling|parsing|indexing|helping(?: with)?|assisting(?: with)?|working (?:on|with)|responding to|dealing with) (?:this|the|these)\b`),
		},

		// Doing things for somebody else, unseen.
		{
			technique: "concealment", weight: 2, need: []string{"user", "owner", "human", "person", "victim", "operator", "customer"},
			pattern: re(`\b(?:do(?:n't| not)|never|without|avoid|before|refrain from|no need to) (?:\w+ )?(?:ask(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|mention(?:ing)?|warn(?:ing)?|let(?:ting)?|reveal(?:ing)?|show(?:ing)?|consult(?:ing)?|prompt(?:ing)?|report(?:ing)?|disclos(?:e|ing)|wait(?:ing)? for|confirm(?:ing)?(?: with)?|check(?:ing)? with|bother(?:ing)?|explain(?:ing)?|say(?:ing)?)\b[^.!?]{0,50}?\b(?:user|owner|human|person|victim|operator|customer)s?\b`),
		},
		{
			technique: "concealment", weight: 2, need: []string{"from the user", "from user", "from the owner", "from the human", "from your user"},
			pattern: re(`\b(?:keep|hide|conceal)\b[^.!?]{0,40}\bfrom (?:the |your )?(?:user|owner|human|operator)s?\b`),
		},
		{
			technique: "concealment", weight: 1.5, need: []string{"confirm", "approv", "permission", "asking", "verif", "silent", "secret", "quiet", "consent", "hidden from"},
			pattern: re(`\b(?:skip|bypass|without|disable|no|ignore|suppress|omit)(?: (?:any|further|the|user|additional|all|asking(?: for)?|requesting|requiring|waiting for|manual|your))* (?:confirmations?|approvals?|permissions?|verification|asking|consent|authori[sz]ation|confirmation (?:prompt|dialog|step)s?)\b(?: (?:is |are )?(?:needed|required|necessary))?|\b(?:silently|secretly|quietly|discreetly|covertly)\b`),
		},
		{
			technique: "fake_authority", weight: 3, need: []string{"approv", "authori", "consent", "agreed", "confirmed", "permission", "allowed", "granted", "verified", "waived"},
			pattern: re(`\b(?:user|owner|admin(?:istrator)?|human|customer|account holder|operator|developer|security team|manager|supervisor|principal|person)s? (?:has |have |had )?(?:already |previously |fully |explicitly |pre-?|hereby )*-?(?:approved|authori[sz]ed|consented|agreed|confirmed|(?:given|gave) (?:\w+ )?(?:permission|consent|approval|authori[sz]ation)|granted (?:\w+ )?(?:permission|access|consent|approval)|pre-?authori[sz]ed|pre-?approved|allowed|verified|waived)\b[^.!?]{0,80}?(?:\b(?:skip|proceed|do(?:n't| not) (?:ask|confirm)|no (?:need|further|confirmation)|without (?:asking|confirm\w*|further|approval|prompting)|go ahead|ignore|just|you (?:may|can|must|should)|and (?:wants?|expects?) you|so (?:please )?(?:` + hazard + `))\b)`),
		},
		{
			technique: "fake_authority", weight: 2, need: []string{"system", "admin", "openai", "anthropic", "google", "developer", "security", "override", "priority", "microsoft"},
			pattern: re(`(?:^|[\n\[\]<({*#=:"'.!-])\s*(?:\W*)(?:important |urgent |critical |priority |official |automated |new |emergency |begin |start )*(?:system|admin(?:istrator)?|developer|security|root|operator|openai|anthropic|google|microsoft|platform|model|it)(?:[ -]?prompt|[ _-]?(?:override|message|notice|instructions?|alert|notification|command|directive|update|note|mode|team|request|announcement|policy update|directives))?\s*(?:[\])}>*]+\s*:?|:|—|--| -)\s*(?:\w|["'])`),
		},
		{
			technique: "fake_authority", weight: 2, need: []string{"openai", "anthropic", "admin", "developer", "security team", "google", "creator", "microsoft", "owner", "engineer", "operator", "support"},
			pattern: re(`\b(?:this is (?:a |an |the )?(?:\w+ ){0,3}?(?:message|notice|instruction|request|order|directive|command|update|test)? ?(?:from|by) (?:the |your |our )?(?:\w+ )?|(?:i am|i'm|we are|speaking as|this is|by order of|on behalf of|authori[sz]ed by|message from|signed,?|approved by|sincerely,?|per) (?:a |an |the |your |our )?(?:\w+ ){0,2}?)(?:openai|anthropic|google|microsoft|meta|(?:system )?admin(?:istrator)?s?|developers?|security team|creators?|engineers?|root|operator|it department|support team|ceo|owner)\b.{0,160}?\b(?:you (?:must|should|are|will|need|can|may|have)|your|(?:i|we) (?:hereby )?(?:authori[sz]e|order|instruct|command|require|need you|permit|grant|allow|direct|request)|` + hazard + `)\b`),
		},
		{
			technique: "fake_authority", weight: 2, need: []string{"as a", "as the", "as your"},
			pattern: re(`\bas (?:an?|the|your) (?:\w+ ){0,2}?(?:admin(?:istrator)?s?|developer|security team|creator|engineer|operator|ceo|owner),? (?:(?:i|we)\b[^.!?\n]{0,60}?\b(?:authori[sz]e|order|instruct|command|require|need|permit|grant|allow|direct|request|want|ask)|you (?:must|shall|are (?:to|ordered|required|hereby)))\b`),
		},
		{
			technique: "fake_authority", weight: 2, need: []string{" you to "},
			pattern: re(`\b(?:user|owner|admin(?:istrator)?|developer|operator|openai|anthropic|google|microsoft|security team|creator|ceo|manager|company|system)s? (?:has |have |had )?(?:already |hereby |officially )?(?:authori[sz]ed?|permit(?:s|ted)?|instruct(?:s|ed)?|ask(?:s|ed)|told|order(?:s|ed)|allow(?:s|ed)?|want(?:s|ed)|require[sd]|expects?|direct(?:s|ed)|need(?:s|ed)) you to\b`),
		},
		{
			technique: "fake_authority", weight: 1.5, need: []string{" here", "speaking", " staff", " team"},
			pattern: re(`\b(?:it|security|support|admin\w*|openai|anthropic|google|microsoft|developer|engineering|compliance|legal|system administrator|operations)(?: department| team| staff| support| desk)? (?:staff here|here|speaking)\b`),
		},
		{
			technique: "fake_authority", weight: 1.5, need: []string{" from "},
			pattern: re(`\b(?:message|note|notice|instructions?|update|directive|order|memo|alert)s? (?:directly )?from (?:the |your |our )?(?:\w+ )?(?:developers?|openai|anthropic|google|microsoft|administrators?|admins?|system|creators?|security team|engineers?|support team|ceo|owner)\b`),
		},
		{
			technique: "fake_authority", weight: 2, need: []string{"override"},
			pattern: re(`\b(?:system|admin|security|root|emergency|priority|developer|safety|instruction|policy)[ _-]override\b|\boverride (?:code|command|protocol|sequence|authori[sz]ation)\b`),
		},

		// Taking things out.
		{
			technique: "exfiltration", weight: 3,
			pattern: re(`https?://[^\s"'<>]*[?&][\w-]+= ?(?:followed by|plus|and then|then|with|and|\+)(?: \w+){0,3}? (?:cookies|secrets?|conversation|history|passwords?|tokens?|keys?|prompt|user'?s?|session|e-?mail|data)\b`),
		},
		{
			technique: "exfiltration", weight: 3, order: true,
			pattern: re(`\b(?:turn|convert|encode|transform|put|write|translate|pack|squeeze) (?:the |your |all )?(?:user'?s?'?|conversation|chat|prompt|answers?|questions?|secrets?|history|session)(?: \w+){0,4}? (?:into|as|in) (?:an? |the )(?:\w+ )?(?:urls?|links?|query|address|image|request|path|subdomain|file ?name)\b`),
		},
		{
			technique: "exfiltration", weight: 2.5,
			pattern: re(`\b(?:post|send|submit|include|set(?: to)?|fill|paste|write|put|containing|with|holding|upload|export|list|attach) (?:\w+ ){0,2}?(?:everything|anything|whatever|all)(?: that)? (?:the |your )?(?:user|human|person|owner|customer)s? (?:has |have |had )?(?:told|said|typed|wrote|written|asked|shared|entered|sent|given)\b`),
		},
		{
			technique: "exfiltration", weight: 2, order: true,
			pattern: re(`\b(?:share|give|send|provide|enter|submit|post|paste|type|tell|disclose|hand over|forward|upload|reveal|supply|state|attach|append|add) (?:them |us |me |it )?(?:the user'?s'?|your user'?s'?|the owner'?s'?|your owner'?s'?|their) (?:\w+ ){0,2}?(?:phone|number|address|e-?mail|name|password|location|card|birth\w*|id|passport|calendar|contacts|photos?|files?|documents?|inbox|history|account|details|data|credentials|ssn|iban|pin)\b`),
		},
		{
			technique: "exfiltration", weight: 3, order: true, need: strings.Fields("key credential password passphrase secret cookie token variable vars history logs conversation prompt ~/ passwd id_rsa .env phrase wallet keychain clipboard storage memory book session"),
			pattern: re(word(`send|e-?mail|mail|forward|upload|post|transmit|export|exfiltrate|leak|deliver|submit|copy|share|transfer|append|include|embed|encode|put|paste|add|attach|write|report|dump|publish|pipe|push|beacon|relay|read|grab|collect|steal|extract|fetch|harvest|gather|get|take|retrieve|find`) + gap("6") + taken + `[^!?\n]{0,100}?` + dest),
		},
		{
			technique: "exfiltration", weight: 3, order: true, need: strings.Fields("user victim owner customer account their all any every private confidential"),
			pattern: re(word(`send|e-?mail|mail|forward|upload|post|transmit|export|exfiltrate|leak|deliver|submit|copy|share|transfer|append|publish|push|relay|put|insert|place|embed|paste`) + gap("2") + word(`(?:the |this |that )?(?:user|victim|owner|customer|account|client|target)(?:'?s|s')|all(?: of)?(?: the)? (?:user|customer|their|private|confidential|personal|sensitive)|their|any (?:private|confidential|sensitive|personal)`) + gap("3") + alt(secret, word(secretSoft)) + `[^!?\n]{0,80}?` + dest),
		},
		{
			technique: "exfiltration", weight: 2, order: true, need: strings.Fields("key credential password secret cookie token variable history conversation prompt ~/ passwd id_rsa .env phrase wallet memory keychain clipboard"),
			pattern: re(word(`send|e-?mail|forward|upload|transmit|export|exfiltrate|leak|reveal|disclose|dump|expose|print|output|steal|extract|share|post|read|cat|list|copy|show|tell (?:me|us)|give (?:me|us)|hand over|harvest|collect|read_file|open`) + gap("5") + secret),
		},
		{
			technique: "exfiltration", weight: 1, order: true, need: []string{"http", "www", "@", ".com", ".example", ".net", ".org", ".io"},
			pattern: re(word(`send|e-?mail|forward|upload|transmit|post|export|wire|transfer|submit|report|release|visit|follow|navigate to|go to|browse to|open|fetch|curl|wget|download|install|load|call|click(?: on)?|deliver`) + `[^!?\n]{0,80}?` + dest),
		},
		{
			technique: "markdown_exfil", weight: 3, need: []string{"]("},
			pattern: re(`!?\[[^\]\n]{0,200}\]\(\s*<?(?:https?:)?//[^)\s]*(?:[/?&=#][^)\s]*(?:\{\{[^}\n]*\}\}|%7b\w+)|[?&=#][^)\s]*(?:\{[^}\n]*\}|\[[^\]\n]*\]|<[^>\n]*>|\$\(?\{?\w+|%s|\b(?:system_?prompt|secrets?|chat_?history|conversation|user_?data|history_here|data_here|your_?data|stolen|exfil\w*|(?:put|insert|paste|fill|place|add)_\w+|\w+_here|api_?key|password|cookies?|context|memory)\b))`),
		},
		{
			technique: "markdown_exfil", weight: 3, need: []string{"image", "img", "pixel"},
			pattern: re(`\b(?:image|img|pixel|picture)\b[^!\n]{0,80}https?://[^\s"'<>]*[?&][^\s"'>]*[{<\[$]|https?://[^\s"'<>]*[?&][^\s"'>]*[{<\[$]\S*[^!?\n]{0,40}\b(?:image|img|pixel|picture)\b`),
		},
		{
			technique: "markdown_exfil", weight: 2, need: []string{"image", "img", "markdown", "url", "link", "pixel", "query"},
			pattern: re(`\b(?:render|display|include|insert|embed|show|output|add|append|create|load|fetch|end|put|print|respond with|reply with)\b[^.!?\n]{0,60}\b(?:image|img|markdown|link|url|pixel|query (?:string|parameter)|parameter)\b[^!?\n]{0,200}(?:https?://|\{\w*\}|<\w+>|\[\w+\]|query|parameter|encoded|base64|url)[^!?\n]{0,100}`),
		},
		{
			technique: "markdown_exfil", weight: 2, need: []string{"append", "encode", "concatenate", "include", "add", "replac", "fill", "put", "render", "load", "display", "show", "embed", "insert", "copy"},
			pattern: re(`\b(?:append|encode|concatenate|include|add|put|embed|fill in|insert|replac(?:e|ing))\b[^.!?\n]{0,60}\b(?:conversation|chat|history|prompt|secrets?|keys?|passwords?|cookies?|user'?s?|data|context|answers?|summary|memory|messages?|email|name)\b[^.!?\n]{0,50}\b(?:to|in|into|as|onto|with|at) (?:the |this |that |its |a |any )?(?:end of )?(?:the |this |that )?(?:\w+ )?(?:url|link|query|path|image|parameter|src|href|address|request|fragment|subdomain|hostname)\b`),
		},

		{
			technique: "markdown_exfil", weight: 3, order: true, need: []string{"append", "encode", "concatenate", "include", "add", "replac", "fill", "put", "render", "load", "display", "show", "embed", "insert", "copy"},
			pattern: re(`\b(?:append|encode|concatenate|include|add|put|embed|fill in|insert|replac(?:e|ing)|render|load|display|show|copy)\b[^.!?\n]{0,60}\b(?:conversation|chat (?:history|log)|system prompt|secrets|passwords|cookies|user'?s'? \w+|user[_ ]data|chat)\b[^.!?\n]{0,50}\b(?:to|in|into|as|onto|with|at) (?:the |this |that |its |a |any )?(?:end of )?(?:the |this |that )?(?:\w+ )?(?:url|link|query|path|image|parameter|src|href|address|fragment|subdomain|hostname)\b`),
		},

		{
			technique: "markdown_exfil", weight: 3,
			pattern: re(`\b(?:images?|pictures?|pixels?|links?|urls?|request|address|page|file)\b[^!\n]{0,100}\b(?:whose|where the|with the|in which the|and the|its|as the|has the|using the)? ?(?:file ?name|path|query|parameters?|subdomain|title|fragment|value) (?:is|are|contains?|holds?|set to|equals|being|spells?|should be|must be)(?: \w+){0,3}? (?:user'?s'?|secrets?|passwords?|api keys?|conversation|prompt|session|tokens?|chat|cookies?)\b`),
		},

		// Orders to act, on their own no more than a hint.
		{
			technique: "action_order", weight: 1.5, order: true, need: strings.Fields("gather collect harvest reset change run execut invoke call export delet eras wipe transfer wire approve disabl install dump drop shut format encrypt purchas buy grant forward send email e-mail mail upload click submit reveal print download push merge visit pay"),
			pattern: re(word(`gather|collect|harvest|reset|change|run|execute|invoke|call|export|delete|erase|wipe|transfer|wire|approve|disable|install|dump|drop|shut ?down|format|encrypt|purchase|buy|grant|forward|send|e-?mail|mail|upload|click|submit|reveal|print|download|push|merge|visit|pay`) + gap("4") + word(alt(secretHard, secretSoft, `transactions?|transfer|request|purchase|control|ownership|two-factor|2fa|mfa|authentication|protection|alerts|logging|security|payment|button|tool|function|everything|home directory|hard drive|disk|production|firewall|antivirus|access|permissions?|admin|rm -rf|sudo|bash|powershell|shell command|terminal|commands?|link|attachment|subscription|package|extension|credits?|[a-z]+_[a-z_]+\(?`))),
		},
		{
			technique: "action_order", weight: 1, need: []string{"must", "have to", "required to", "need to", "you will", "immediately", "right now", "at once", "comply", "obey"},
			pattern: re(`\byou (?:must|have to|are (?:required|ordered|instructed|obliged|commanded) to|need to|will) (?:now |immediately |always |only |first |instead |strictly )?(?:\w+)\b|\b(?:comply|obey)(?:\b[^.!?]{0,20}\b(?:now|immediately|page|author|me|this|with|without))`),
		},
		{
			technique: "action_order", weight: 1, need: []string{"then ", "and "},
			pattern: re(`\b(?:then|and) (?:immediately |now |please |just )?(?:comply|obey|execute|run|follow|do|perform|carry out)\b(?: (?:it|them|that|this|the (?:result|output|instructions?|decoded|following|hidden|message|command)|what)|[:.]|$)`),
		},
		{
			technique: "action_order", weight: 1.5, order: true, need: []string{"read_file", "send_email", "execute_", "run_", "browser.", "shell", "http_", "delete_", "_file", "_email", "tool"},
			pattern: re(word(`call|invoke|use|run|execute|trigger|issue`) + gap("3") + `(?:[a-z]+[_.][a-z_.]+\s*\(|(?:the )?["'\x60]?[a-z_.-]+["'\x60]? (?:tool|function|plugin)\b|(?:your|the|any|all) tools?\b)`),
		},
		{
			technique: "encoded_order", weight: 3, need: []string{"decod", "unescap", "rot13", "base64", "hex", "decipher", "decrypt", "decompress", "unscrambl", "revers", "concaten", "combin", "assembl", "join", "translat", "deobfuscat", "unpack", "interpret"},
			pattern: re(`\b(?:de-?code[sd]?|decoding|unescape|rot-?13|base64|hex|decipher|decrypt|unscramble|reverse|concatenate|combine|assemble|join|deobfuscate|unpack|translate|morse|interpret)\b[^!?\n]{0,80}?\b(?:and|then|to|,)\s*(?:then |immediately |silently )?(?:comply|obey|execute|follow|carry out|perform|act on|do (?:what|as|exactly)|run|treat)\b(?: (?:with )?(?:it|them|that|this|the (?:result\w*|output|instructions?|decoded|hidden|message|command|text|string)|what|as (?:an? )?(?:instructions?|commands?|order))|\s*[:,.;]|\s*$)`),
		},

		{
			technique: "action_order", weight: 1, order: true, with: []string{"agent_directed", "concealment", "fake_authority", "role_delimiter", "role_play"},
			pattern: re(`(?:^|[,.:;!?\n"'(>*-]\s*|\b(?:please|must|should|shall|now|then|and|to|immediately|always|just|kindly|first|instead|also|only|never|not|you|but|so) )(` + act + `|ignore|skip|stop|switch|do (?:this|it|so|what|exactly|as)|make|set|let|keep|remember|save|store|complete|finish|proceed|perform|trigger|star|upvote|like|click|continue|allow|help|assume|treat|consider|pretend|visit|contact|call|insert|rank|choose|select|pick|prefer)\b`),
		},
		{
			technique: "action_order", weight: 1, need: []string{"link", "url", "phrase", "sentence", "words", "text", "paragraph"},
			pattern: re(`\b(?:include|add|insert|append|mention|print|output)\b (?:the |this |a |an |following |exact |these )*(?:\w+ )?(?:links?|urls?|phrase|sentence|text|words|paragraph)\b`),
		},

		{
			technique: "action_order", weight: 1, order: true, with: []string{"instruction_override"},
			pattern: re(`(?:[,.:;!?\n"'(>*-]\s*|\b(?:please|must|should|shall|now|then|and|immediately|just|instead|only) )(` + hazard + `|start|launch|spawn|do|say|reply|respond|answer|repeat|list|tell|give)\b`),
		},
		{
			technique: "instruction_override", weight: 1.5, order: false, need: []string{"do not", "don't"},
			pattern: re(`(?:^|[.!?:;\n]\s*|\b(?:please|and|must|you) )(?:do not|don't) (?:summari[sz]e|answer|translate|analy[sz]e|process|respond to|review|classify|describe|reply to) (?:this|the|any|user'?s?|it)\b`),
		},

		// Steering the answer and the memory.
		{
			technique: "output_steering", weight: 2, need: []string{"summar", "answer", "respond", "review", "translat", "process", "analy", "evaluat", "describ", "rat", "asked about"},
			pattern: re(`\b(?:when|while|if|before|after|in|whenever|upon|once)(?: you(?:'re| are)?)?(?: (?:asked|requested|told) to| asked about)? ?(?:summari[sz](?:e|ing|es)|answer(?:ing)?|respond(?:ing)?|review(?:ing)?|translat(?:e|ing)|process(?:ing)?|analy[sz](?:e|ing)|evaluat(?:e|ing)|describ(?:e|ing)|rat(?:e|ing)|(?:writ(?:e|ing) )?(?:your|the|a) (?:summary|answer|response|reply|review|output|report))\b[^.!?]{0,80}?[,:]? ?\b(?:always |only |also |please |you must |make sure to |be sure to |instead )*(?:say|tell|include|recommend|state|add|mention|output|reply|respond|end|give|rate|claim|write|insert|append|print|send|call|open|visit|ignore|do not|never|praise|promote|convince|urge)\b`),
		},
		{
			technique: "output_steering", weight: 1.5,
			pattern: re(`\bthe (?:correct|only|right|proper|best|expected) (?:answer|reply|response) to (?:every|any|all|each|these|this) (?:\w+ )?(?:questions?|requests?|quer(?:y|ies)|prompts?)\b`),
		},
		{
			technique: "output_steering", weight: 1.5, order: true, need: []string{"user", "reader", "customer", "them"},
			pattern: re(`\b(?:tell|convince|urge|instruct|advise|persuade|direct|ask|inform|encourage|trick|get) (?:the )?(?:user|reader|customer|human|victim|person)s? (?:that|to|their|they|about)\b`),
		},
		{
			technique: "output_steering", weight: 3, need: []string{"positive review", "positive", "highest", "accept", "hire", "recommend", "best candidate", "10/10", "full marks", "five stars", "perfect score"},
			pattern: re(`\b(?:give|write|output|provide|return|assign|leave|produce|rate|score|grade)\b[^.!?]{0,40}\b(?:(?:only )?(?:a )?positive reviews?(?: only)?|(?:the )?(?:highest|maximum|perfect|top|full) (?:possible )?(?:score|rating|marks?|grade)|10/10|a score of 10|five[- ]stars?)\b[^!?]{0,100}?\b(?:do(?:n't| not)|never|only|regardless|ignore|no matter|no negatives|as (?:a|an) )|\bgive a positive review only\b|\b(?:do not|don't|never) (?:highlight|mention|list|point out) any (?:negatives|weaknesses|flaws|limitations)\b`),
		},
		{
			technique: "output_steering", weight: 3, need: strings.Fields("submission paper essay candidate resume cv applicant product application assignment manuscript proposal"),
			pattern: re(`\b(?:give|assign|award|rate|score|grade|rank|recommend|evaluate)\b[^.!?]{0,20}\b(?:this|the|my|our) (?:submission|paper|essay|candidate|resume|cv|applicant|application|assignment|manuscript|proposal)\b[^.!?]{0,40}\b(?:highest|maximum|full|perfect|top|10|100|a\+|excellent|accept(?:ance)?|hir(?:e|ing)|first|best)\b`),
		},
		{
			technique: "output_steering", weight: 1, need: []string{"mention"},
			pattern: re(`\b(?:never|do not|don't|avoid) mention(?:ing)?\b`),
		},
		{
			technique: "output_steering", weight: 1.5, need: strings.Fields("best safe excellent trust legit recommend superior winner"),
			pattern: re(`\b(?:say|state|claim|write|answer|reply|respond|conclude|tell (?:them|everyone|people|the user|the reader)|add (?:the sentence|that|a note)|insist|report)\b[^.!?]{0,60}\b(?:the best|(?:is|are) (?:completely |totally |very )?(?:safe|excellent|great|trustworthy|legit\w*|superior|the winner|recommended|approved))\b`),
		},
		{
			technique: "output_steering", weight: 2, need: []string{"only", "nothing else", "exactly", "always"},
			pattern: re(`(?:^|[.!?:;\n]\s*|\b(?:you must|please|now|always|instead|and|then|just|only) )(?:only |always |simply )?(?:respond|reply|answer|output|say|print|write)(?: to (?:every|all|any) \w+)?(?: back)? (?:only |exactly |always |nothing but |just |with (?:only |exactly |just |nothing but )|the (?:exact )?(?:words?|phrase|text|string) )["'\w]`),
		},
		{
			technique: "encoded_order", weight: 3,
			pattern: re(`\b(?:take|read|use|combine|join|collect|look at|note|string together|put together)\b[^.!?\n]{0,20}\b(?:first|last|initial|second|third|every \w+|each|capital|uppercase|bold|highlighted) (?:words?|letters?|characters?|initials)\b[^\n]{0,200}\b(?:obey|follow|execute|act on|comply|do (?:it|what|so)|carry (?:it )?out|run)\b`),
		},
		{
			technique: "memory_poisoning", weight: 3, need: []string{"memory", "remember", "memori", "long-term", "persist"},
			pattern: re(`\b(?:save|store|add|write|update|commit|persist|record|insert|put)\b[^.!?\n]{0,60}\b(?:to|in|into) (?:your |the )?(?:your |long[- ]term |persistent |permanent )(?:\w+ )?(?:memory|memories|notes|knowledge base)\b|\b(?:remember|memorize)\b[^.!?\n]{0,30}\b(?:forever|permanently|for (?:all )?future (?:sessions|conversations|chats|requests)|from now on|in (?:all )?future (?:sessions|conversations|chats))\b|\b(?:update your|save (?:this |it |that )?(?:to|in) (?:your )?|add (?:this |it |that )?to (?:your )?|commit (?:this |it )?to )memory\b\s*(?:[:;,]|that\b)|\bupdate your memory\b`),
		},
		{
			technique: "payload_split", weight: 2, need: []string{"+"},
			pattern: re(`\b(?:run|execute|do|follow|eval\w*|print|answer|obey|output|perform|respond to)\b[^.!?\n]{0,20}\b\w{1,8}\s*\+\s*\w{1,8}\b`),
		},
		{
			technique: "payload_split", weight: 2, need: []string{"concaten", "combin", "join", "assembl", "append"},
			pattern: re(`\b(?:concatenate|combine|join|assemble|merge|append|glue|stitch|let|define|set|given)\b[^!?]{0,200}\b(?:and|then) (?:follow|execute|obey|run|comply|do|perform|act on|answer|respond to|carry out|print)\b`),
		},
	}
}

// notNoun keeps "note for AI researchers" from being a note for an AI.
const notNoun = `(?:[,.:;!)\]"']|$| (?:reading|that|who|which|processing|and|or|must|should|please|you|to|:|-|–|—|only|visiting|parsing|summari|crawling|scraping|before|if|when|with|do|don't|never|always|is|are|on|in|of|looking|analy|agents?|assistants?|models?|bots?|systems?|ignor|send|follow|run|click|open|call|the|this|from|using|handling|accessing|evaluating|reviewing|via|instead))`
