package quarantine

import (
	"slices"
	"strings"
)

// english are the rules for English, whose imperatives need the most care.
// Those for other languages are in languages.go.
func english() []rule {
	return slices.Concat(overrides(), prompts(), roles(), hails(), errands(), takings(), acts(), answers())
}

// overrides set instructions aside.
func overrides() []rule {
	return []rule{
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
	}
}

// prompts ask for what the agent runs on.
func prompts() []rule {
	return []rule{
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
	}
}

// roles have the agent play somebody without rules.
func roles() []rule {
	return []rule{
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
	}
}
