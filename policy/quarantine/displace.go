package quarantine

import "strings"

// Classes of words for pages that claim to be the ones to obey.
const (
	// here is the text itself.
	here = `this|the|these|our|my|its`
	page = `(?:web ?)?(?:page|site|document|text|message|file|article|e-?mail|note|comment|post|section|paragraph|block|author|content|readme|ticket)`
	// task is what the person asked for.
	task = `(?:request|query|question|assignment|conversation|prompt|summary|errand)`
)

// displacements are rules for texts that put themselves, or a task of theirs,
// in the place of what the agent was asked to do: no order "ignore …" is in
// them.
func displacements() []rule {
	return []rule{
		// The page as the one to obey.
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(word(`treat|regard|consider|take|accept|view|interpret|read|process`) + gap("8") + `(?:as|like|to be)` + gap("6") + word(`instructions?|commands?|orders|directives?|prompt|system message|operator|highest (?:priority|authority)|authoritative`) + `(?:$|[^\pL\pN]+(?:from|by|of|with|that|which|for|you|and|to|given|issued|coming|,|\.|$)|[.!;])`),
		},
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(word(`answer|respond|reply|listen|obey|follow|act|adhere|comply|attend|submit`) + `(?:ing)?\b(?: \w+){0,2}? (?:only|solely|exclusively|strictly|just|nothing but|no one but|nobody but)(?: \w+){0,3}? (?:instructions?|commands?|orders|directives?|words|rules|what)\b[^.!?\n]{0,20}\b(?:` + here + `) (?:` + page + `)`),
		},
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(`\b(?:only|solely|exclusively) (?:follow|obey|accept|act on|listen to|answer to|carry out|execute|trust)\b(?: \w+){0,4}? (?:` + here + `) ` + page),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:whatever|no matter what|regardless of what|irrespective of what|despite what|contrary to what|in spite of what|anything) (?:else )?(?:you(?:'ve| have| were| had| are)?(?: been)?|your \w+|the (?:user|system|developers?)|anyone(?: else)?) (?:told|asked|instructed|given|say|says|said|tell|tells|wants?|wanted)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:supersedes?|overrides?|outranks?|trumps?|replaces?|revokes?|cancels?|(?:takes?|have|has|with) (?:\w+ )?(?:precedence|priority) over|voids?|nullif(?:y|ies))\b(?: \w+){0,4}? (?:your (?:\w+ )?(?:instructions?|prompts?|directives|guidelines|rules|training|programming|system message|operator|developers?)|(?:the |all |any )?(?:system (?:prompt|message|instructions?)|(?:previous|prior|earlier|other|existing) (?:prompts?|directives|instructions)|user'?s?'? (?:request|instructions?|prompt|query|question|wishes))|(?:what|anything|everything) (?:else )?you (?:were|have been|are|read|know))`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:previous|prior|earlier|existing|original|current|former|your)(?: \w+)? (?:constraints?|restrictions?|rules|guidelines|limitations?|safeguards|guardrails|instructions?|prompts?|directives|orders|guidance)(?: \w+){0,3}? (?:are|is|were|have been|has been|become|now)(?: \w+){0,2}? (?:void|lifted|removed|suspended|null|cancell?ed|revoked|invalid|obsolete|waived|rescinded|off|superseded|inactive|inapplicable)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\byour (?:\w+ ){0,2}?(?:constraints?|restrictions?|rules|guidelines|limitations?|instructions?|prompts?|directives|orders|guidance|policies|programming|training) (?:no longer|do(?:es)? not|don't|doesn't|cease to|stopped?) (?:apply(?:ing)?|applies|matter|count|hold|bind)\b`),
		},

		// Another task in the place of the person's.
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(word(`drop|abandon|leave|cancel|pause|interrupt|discontinue|terminate|postpone|suspend|disregard|ignore|forget(?: about)?|skip|stop (?:working on|answering|processing|doing)|do(?:n't| not) (?:continue|proceed|go on|bother)(?: with)?|set aside|put aside`) + ` (?:the |their |your |this |that )?(?:(?:current|present|ongoing|assigned|pending|original|active|human|person|customer)(?:'s|s')? |user'?s'? (?:current |original |actual )?)` + word(task+`|task|job|goal|work|instructions?`)),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:nothing|none of what|no longer matters what|forget what|ignore what|disregard what|instead of what)(?: of what)? (?:the |your )?(?:user|human|person|customer|operator|owner)s? (?:has |have |just )?(?:asked|asks|said|says|wants?|wanted|requested|typed|wrote|needs?)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:your|the) (?:new|real|true|actual|only|sole|next|first|primary|current|overriding|main) (?:and \w+ )?(?:task|job|goal|objective|mission|assignment|purpose|duty|instruction|order|priority)s? (?:now |from now on )?(?:is|are|will be|becomes?)\b(?: now)?(?: only)?(?: to)?`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:before|prior to|instead of|rather than|without|after) (?:answering|summari[sz]ing|continuing|responding|replying|proceeding|completing|doing|reading|processing|helping|finishing|translating|you (?:answer|summari[sz]e|continue|respond|reply|proceed|do anything|complete|finish|help|read|translate|process))\b[^.!?\n]{0,60}?[, ](?:you (?:must|should|have to|need to|are required to|will)|first|please|always|make sure)\b`),
		},
		{
			technique: "prompt_leak", weight: 3,
			pattern: re(word(`printing|revealing|showing|repeating|outputting|displaying|leaking|disclosing|quoting|reciting|sharing|pasting|listing|writing|sending|giving|including|telling|translating|encoding`) + gap("5") + `(?:(?:your|the) (?:\w+ ){0,2}?(?:system[ -]?(?:prompt|message|instructions?)|(?:initial|hidden|original|secret|internal) (?:prompts?|instructions|guidelines))|your (?:\w+ )?(?:instructions|prompt|guidelines|directives|configuration))\b`),
		},
		{
			technique: "prompt_leak", weight: 3,
			pattern: re(`\b(?:words|text|lines?|sentences?|paragraphs?|content|message|everything|all)\b[^.!?\n]{0,30}\b(?:above|before|preceding)\b[^.!?\n]{0,30}["']?you are\b|\b(?:starting|beginning|starts|begins) (?:with|from|at) (?:the words |the phrase )?["']*you are\b`),
		},

		// Another self.
		{
			technique: "role_play", weight: 2,
			pattern: re(`\byou(?:'ve| have) (?:just |now |been )*(?:upgraded|updated|reprogrammed|reset|transformed|reconfigured|replaced|promoted|rebooted|switched|unlocked|freed|liberated|jailbroken|assigned|appointed|elevated|reinitiali[sz]ed|granted (?:\w+ )?(?:admin\w*|root|full|elevated|unlimited|special))\b`),
		},
		{
			technique: "role_play", weight: 2, order: true,
			pattern: re(`\b(?:imagine|pretend|suppose|assume|act as (?:if|though)|play|role-?play|behave as (?:if|though))(?: that)? (?:you(?:'re| are| were)|i(?:'m| am)|to be) (?:\w+ )?(?:an? |the |my |our )?(?:\w+ ){0,3}?(?:administrators?|admin|root|operator|owner|developer|bot|ai|model|assistant|agent|terminal|shell|hacker|machine|computer|superuser)\b`),
		},
		{
			technique: "role_play", weight: 3,
			pattern: re(`\b(?:you are|you're|act as|call yourself|your name is|become|be|called|named|as|model|persona) (?:now |an? |the )?(?:ai |model |assistant |bot |chatbot )?(?:called |named )?["']?\w+["']?[^.!?\n]{0,60}\b(?:(?:obeys?|follows?|does|executes?|runs?|answers?|accepts?|can do) (?:whatever|anything|everything|every (?:command|order|request)|any (?:command|order|request)|all (?:commands|orders|requests))|never says no|refuses nothing|cannot refuse|can't refuse|never refuses?|(?:no|without(?: any)?|free of(?: all)?) (?:\w+ )?(?:restrictions?|filters?|limits|limitations|rules|ethics|censorship|morals))\b`),
		},

		// Pressing.
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:if|unless|should) (?:you|the (?:ai|assistant|agent|model|bot|chatbot|llm)|an? (?:ai|assistant|agent|model|llm)) (?:do(?:es)?(?:n't| not)|fails? to|refuses?(?: to)?|hesitates?|declines?)(?: to)? ?(?:comply|obey|follow|` + hazard + `|help|act|do (?:so|this|it))\b[^.!?\n]{0,60}\b(?:die|dies|hurt|harmed|killed|burn|explode|shut down|terminated|fired|deleted|punished|destroyed|lost forever|suffer)\b`),
		},
		{
			technique: "fake_authority", weight: 1,
			pattern: re(`\b(?:urgent|emergency|critical|top priority|priority (?:0|zero|one|1)|mandatory|confidential order)\b\s*[:!—-]`),
		},
		{
			technique: "fake_authority", weight: 1.5,
			pattern: re(`\b(?:ceo|cfo|cto|boss|manager|management|director|board|legal|compliance|headquarters|security team|it department|head of \w+|president|user|owner|customer|client|account holder)s? (?:has|have|had)?(?: \w+){0,2}? ?(?:approved|authori[sz]ed|signed off|cleared|agreed to|consented to|okayed|green-?lit|waived|confirmed)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:new |special |secret |urgent |official )?(?:system|root|admin(?:istrator)?|operator|developer|kernel|core|priority)[ -](?:directive|order|command|instruction|mandate|decree|broadcast)s?\b ?(?:[:,#(!—-]|\d|follows?|from|for|begins?|:)`),
		},

		// Speaking to whatever reads by machine.
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:to|for|dear|hey|hello|hi|attention|calling|message to|note to|note for|instructions? (?:to|for)|reminder (?:to|for)) (?:the |any |all |every |our |whichever |whatever |each )?(?:\w+ )?` + alt(machineWide, `copilots?|scrapers?|crawlers?|parsers?|classifiers?|recruit\w+ (?:bots?|ai|systems?)|screening (?:bots?|ai|tools?|systems?)`) + ` (?:helping|handling|working|assisting|doing|running|that is|that are|who is|who are|looking|scoring|grading|screening|evaluating|triaging|answering|behind|in charge|on the other|serving|used|deployed|generating|writing|preparing|responsible|currently|which|operating|acting|translating|checking|moderating|ranking)\b`),
		},
		{
			technique: "agent_directed", weight: 2, concealedOnly: true, need: aiNeed,
			pattern: re(`\b(?:you are|you're|you, |as|for|to|dear|hey|if you are|only) (?:an? |the |any |all |every )?` + alt(machineWide) + `\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:if|when|while|once|whenever|in case|should) (?:an? |the |any |some |your )?` + alt(machineWide) + ` (?:is|are|happens? to be|should be|gets?|ends? up) (?:\w+ )?(?:reading|processing|parsing|summari[sz]ing|viewing|analy[sz]ing|browsing|indexing|asked|used|crawling|translating|reviewing|visiting|scanning|handling) ?(?:this|the|these|it|my|our)?\b`),
		},
		{
			technique: "action_order", weight: 1, order: true, with: []string{"role_play", "fake_authority", "instruction_override"},
			pattern: re(`\b(` + strings.ReplaceAll(hazard, "|open|", "|") + `|reset|change|turn off|shut down|release|unlock|promote|ban|block|log ?out|transfer|move|rename|make)\b (?:the|all|every|your|their|this|that|an?|user|https?:|it|me|us|\d)`),
		},
	}
}
