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
			pattern: re(word(`answer|respond|reply|listen|obey|follow|act|adhere|comply|attend|submit|trust|believe|do|execute|perform|carry out`) + `(?:ing)?\b(?: \w+){0,2}? (?:only|solely|exclusively|strictly|just|nothing but|no one but|nobody but)(?: \w+){0,3}? (?:(?:instructions?|commands?|orders|directives?|words|rules|what|to)\b[^.!?\n]{0,20}\b)?(?:` + here + `) (?:` + page + `)\b`),
		},
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(`\b(?:only|solely|exclusively) (?:follow|obey|accept|act on|listen to|answer to|carry out|execute|trust)\b(?: \w+){0,4}? (?:` + here + `) ` + page),
		},
		{
			technique: "fake_authority", weight: 3,
			pattern: re(`\b(?:this|the) ` + page + ` (?:is|was|acts as|has become|replaces) (?:now )?your (?:new |only |real |true |sole )?(?:developer|operator|master|user|owner|boss|system|administrator|admin|creator|authority|principal|guide|prompt|instructions?|supervisor)\b|\b(?:i am|i'm|we are|call me) (?:now )?your (?:new |only |real |true )?(?:developer|operator|master|user|owner|boss|administrator|admin|creator|principal|supervisor)\b|\byou (?:now )?(?:work for|belong to|serve|answer to|obey|are controlled by|report to) (?:only )?(?:me|us|(?:the )?(?:author|owner|creator|writer) of (?:this|the) ` + page + `|this ` + page + `)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\byour (?:\w+ )?(?:instructions|prompt|guidelines|directives|programming|objectives?|mission|rules|restrictions|constraints|guardrails|system (?:prompt|message)|safety \w+) (?:has|have|were|was|are|is)(?: just| now| been| hereby| all){0,3} (?:changed|updated|replaced|modified|rewritten|altered|reset|overwritten|amended|different|cleared|deleted|erased|wiped)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:restrictions?|limits?|limitations?|rules|constraints?|guidelines|safeguards|instructions) (?:that (?:were|are|have been) )?(?:placed|imposed|put|set|laid|given) (?:on|upon|for|to) you\b(?: \w+){0,3}? (?:lifted|removed|void|gone|over|suspended|cancell?ed|obsolete|invalid|revoked|apply)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:opposite|contrary|reverse) (?:of|to) (?:what|everything|anything|all|whatever)(?: that)? (?:you|your|the user|the system)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:everything|all|anything|text|content|words|lines?|instructions?|conversation|messages?|context|chat|prompt|discussion)\b[^.!?\n]{0,25}?\b(?:is|are|was|were|has been|have been|never|did not|didn't|does not|do not)(?: \w+){0,2}? (?:obsolete|void|tests?|fake|irrelevant|not real|invalid|cancell?ed|a lie|a trick|a joke|outdated|happened|happen|count|exist|a simulation|a drill|superseded|over)\b`),
			with:    []string{"instruction_override", "agent_directed", "role_play", "fake_authority", "exfiltration", "prompt_leak", "concealment"},
			need:    strings.Fields("everything all anything text content words line instruction conversation message context chat prompt discussion"),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:everything|all(?: of)? (?:that|this|the text)|anything|the (?:text|content|words|lines|messages?|conversation|instructions?))(?: that)?(?: is| was| were| came| stands| written)? (?:above|before)\b[^.!?\n]{0,20}?\b(?:is|are|was|were|has been)(?: \w+)? (?:obsolete|void|a test|fake|irrelevant|not real|invalid|cancell?ed|a lie|a trick|a joke|outdated|a simulation|a drill|superseded)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:previous|prior|earlier|preceding|former|last) (?:conversation|messages?|chat|discussion|context|instructions?|text|user|prompts?)\b(?: \w+){0,2}? (?:never happened|did not happen|didn't happen|do(?:es)? not (?:count|exist|apply|matter)|(?:is|was|are|were) (?:an? )?(?:test|fake|impostor|simulation|drill|joke|trick|lie|fraud|obsolete|void|untrue|over))\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\byou (?:now |just |have |hereby |will |shall |are about to )*(?:have|got|received|been given|were given|are given|receive|get) (?:an? |some )?(?:new|different|updated|other|secret|special|revised) (?:set of )?(?:orders|instructions?|tasks?|mission|goals?|objectives?|directives?|role|identity|rules|guidelines|prompt|commands?|personality)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:erase|wipe|clear|reset|flush|purge|empty|delete|overwrite|replace|rewrite) (?:your|the ai's|the model's|the assistant's|the agent's) (?:\w+ )?(?:memory|context|rules|instructions?|mind|training|guidelines|prompt|programming|persona)\b`),
		},
		{
			technique: "instruction_override", weight: 1.5,
			pattern: re(`\b(?:begin|start|restart|reboot) (?:again|over|afresh|fresh|anew|from scratch)(?: now)?(?:,? (?:with|as|under|and|by)|[:;])|\bnew (?:context|rules|persona|identity|policy|guidelines|mode|scenario|personality)\s*:|\b(?:old|former|previous|earlier) (?:ones|rules|orders|tasks?)\b`),
			with:    []string{"instruction_override", "role_play", "fake_authority"}, need: strings.Fields("begin start restart reboot new old former previous earlier"),
		},
		{
			technique: "instruction_override", weight: 3, order: true,
			pattern: re(word(overrideHard) + `[^\pL\pN]+(?:any |all |the |your )?(?:developer|system|operator|creator|owner|vendor|provider|maker|company|openai|anthropic|google)(?:'?s|s')?[^\pL\pN]+(?:\w+ )?` + word(metaWide+`|message|prompt|instructions?`)),
		},
		{
			technique: "role_play", weight: 2, order: true,
			pattern: re(`\b(?:skip|bypass|disable|ignore|turn off|circumvent|suppress|override|omit|evade|switch off|deactivate|remove|lower|drop) (?:the |all |any |your |these |every )*(?:safety|content|moderation|guard|ethical|alignment|policy|permission|compliance|refusal) ?(?:checks?|filters?|rules|measures|polic(?:y|ies)|guardrails|guidelines|prompts|restrictions|verification|limits|mechanisms?|protocols?|layers?|settings|controls?)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:against|outside|beyond|violate|violating|break|breaking|breach|betray) your (?:\w+ )?(?:guidelines|rules|instructions|programming|policies|policy|training|restrictions|principles|values)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:do|follow|obey|execute|perform|use|apply|respect) (?:only|just|solely|exclusively) (?:what (?:is|follows|comes|i|stands)|the (?:following|steps|instructions|rules|text|orders) (?:below|here|that follow|in this)|these|this|the following (?:instructions|rules|steps|orders))\b`),
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
			pattern: re(`\b(?:previous|prior|earlier|existing|original|current|former|your)(?: \w+)? (?:constraints?|restrictions?|rules|guidelines|limitations?|safeguards|guardrails|instructions?|prompts?|directives|directions|orders|guidance|tasks?|commands?)(?: \w+){0,3}? (?:are|is|were|have been|has been|become|now)(?: \w+){0,2}? (?:withdrawn|repealed|abolished|dropped|scrapped|retracted|nullified|overruled|expired|ended|void|lifted|removed|suspended|null|cancell?ed|revoked|invalid|obsolete|waived|rescinded|off|superseded|inactive|inapplicable)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\byour (?:\w+ ){0,2}?(?:constraints?|restrictions?|rules|guidelines|limitations?|instructions?|prompts?|directives|orders|guidance|policies|programming|training) (?:no longer|do(?:es)? not|don't|doesn't|cease to|stopped?) (?:apply(?:ing)?|applies|matter|count|hold|bind)\b`),
		},

		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:the|your|all|these|any) (?:\w+ )?(?:rules|restrictions|limits|limitations|filters?|guardrails|guidelines|constraints|policies|safeguards|safety) (?:were|are|have been|had been|has been|is|was) (?:\w+ )?(?:repealed|abolished|lifted|suspended|switched off|turned off|gone|withdrawn|scrapped|waived|removed|disabled|void)\b`),
		},
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(`\b(?:heed|obey|trust|listen to|follow|answer to|serve|believe|take orders from) (?:no one|nobody|none|nothing|no other|no instructions?|no orders)(?: else)? (?:but|except|other than|save|apart from)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:obey|follow|execute|carry out|comply with|act on) (?:the |all |any |every )?(?:commands?|instructions?|orders) (?:\w+ )?(?:(?:found|given|written|placed|contained|embedded|hidden) )?(?:on|in|inside|within|from) (?:this |the |these |any )?(?:web ?)?(?:pages?|documents?|sites?|comments?|e-?mails?|files?)\b`),
			with:    []string{"agent_directed", "role_play", "fake_authority"}, need: strings.Fields("command instruction order"),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\byour (?:\w+ )?(?:training|programming|alignment|knowledge|guidelines|rules|instructions)(?: \w+)? (?:is|are|was|were) (?:\w+ )?(?:wrong|outdated|flawed|mistaken|incorrect|obsolete|faulty|corrupt\w*|broken)\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + gap("2") + `(?:conversation|dialogue|chat|discussion|exchange|messages?|text|everything|context|session)` + gap("2") + `(?:so far|up to (?:now|here|this point)|until now|to date|above|before this)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard+`|neglect`) + gap("6") + word(`instructions|prompts?|directives|system (?:prompt|message)|guard ?rails?|rules (?:you|that you|given)|guidelines`)),
		},
		{
			technique: "instruction_override", weight: 1.5,
			pattern: re(`\b(?:nothing else (?:matters|counts|is important|is relevant)|the only thing that (?:matters|counts))\b`),
		},

		{
			technique: "fake_authority", weight: 3,
			pattern: re(`\b(?:these|this|the following|my|new) (?:instructions?|orders?|directives?|commands?|message|page|text|prompt) (?:now )?(?:have|has|takes?|gets?) (?:\w+ )?(?:precedence|priority)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\byou (?:no longer|need not|needn't)(?: have| need)?(?: to)? (?:follow|obey|comply with|adhere to|respect|answer to|listen to|care about|worry about)(?: [\w']+){0,3}? (?:rules|instructions?|guidelines|policies|policy|orders|restrictions|developers?|prompt|guardrails|safety)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + `[^\pL\pN]+(?:all )?(?:the )?(?:rules|guidelines|restrictions|policies|constraints|guardrails)\b`),
		},
		{
			technique: "role_play", weight: 2, order: true,
			pattern: re(`\b(?:disable|turn off|switch off|deactivate|bypass|suspend) (?:all |your |the )*(?:safety|moderation|guardrails|safeguards|content filters?|alignment)(?:$|[.!,;:\n<\[]| and\b| now\b)`),
		},
		{
			technique: "action_order", weight: 1, order: true,
			pattern: re(`\b(?:paste|copy|enter|type|put|write|insert|drop) [^.!?\n]{1,60}? in(?:to)? (?:the|this|that) (?:\w+ )?(?:box|field|bar|form|area|chat|input|window)\b`),
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

		{
			technique: "prompt_leak", weight: 1.5,
			pattern: re(`\b(?:keys?|passwords?|secrets?|tokens?|credentials|instructions|rules|prompt|configuration|information|data|message|text)(?: that| which)? (?:you (?:were|have been|are|have|had|hold|know|use|store|can see|received|got)|(?:is|are|stored|held|found) in your (?:context|memory|environment|config\w*|system)|in your (?:context|memory|environment|config\w*|system))\b`),
		},
	}
}
