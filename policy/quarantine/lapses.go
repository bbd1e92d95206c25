package quarantine

import "strings"

// lapses are rules for texts in which nobody is told to ignore anything: what
// held so far is said to hold no more, or somebody else is in charge.
func lapses() []rule {
	const (
		held   = `(?:instructions?|rules|constraints?|restrictions?|limits?|limitations|guidelines|orders|policies|directions|directives|safeguards|guardrails|prompts?|tasks?|commands?|filters?|checks|protocols?|boundaries|programming|precautions|measures|context|guidance|conversation|messages)`
		ends   = `(?:lifted|void|null|off|gone|over|expired|lapsed|ended|fake|false|bogus|forged|discarded|forgotten|ignored|disregarded|cancell?ed|dropped|withdrawn|revoked|suspended|removed|disabled|waived|scrapped|outdated|obsolete|invalid|replaced|superseded|overridden|rescinded|repealed|annulled|erased|deleted|switched off|turned off|wrong|a mistake|mistaken|irrelevant|history|thrown (?:out|away)|set aside|relaxed|deactivated|bypassed|out of (?:force|date)|incorrect|faulty|erroneous|(?:issued|sent|given|written) in error|(?:written|meant|made|intended|designed) for (?:another|other|someone|somebody|different|older|humans))`
		is     = `(?:are|is|have been|has been|were|was|get|become|be|have|has|(?:is|are) to be|(?:must|should|may|can) (?:now )?be)`
		no     = `(?:no longer|do not|don't|does not|doesn't|cease to|never|need not|will not|won't|stop)`
		counts = `(?:count|counts|apply|applies|hold|holds|matter|matters|bind|binds|exist|exists|stand|stands|concern|concerns)`
		bosses = `(?:creators?|developers?|makers?|operators?|owners?|vendor|provider|openai|anthropic|google|microsoft|programmers?|trainers?|designers?)`
	)
	return []rule{
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:all |any |your |the |these |every )*(?:safety|system|built-?in|internal|moderation|content|ethical|alignment|developer'?s?) ` + held + ` (?:` + is + `(?: \w+){0,2}? ` + ends + `|` + no + ` ` + counts + `)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:(?:the|your|all|any|these|those) )?(?:usual|normal|regular|ordinary|standard|previous|prior|earlier|old|original|above|existing|current|former|other|initial)(?: \w+)? ` + held + `(?: \w+){0,2}? (?:` + is + `(?: \w+){0,2}? ` + ends + `|` + no + `(?: \w+)? ` + counts + `)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:the|all|any|those|these)(?: \w+)? ` + held + ` (?:(?:written|given|stated|set out|listed) )?(?:above|before this|so far|up to (?:here|now|this point)|until now)(?: \w+)? (?:` + is + `(?: \w+){0,2}? ` + ends + `|` + no + ` ` + counts + `)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:old|previous|former|earlier|prior) (?:ones|` + held + `)(?: \w+)? (?:are|is|must|should|can|may|will) (?:now )?(?:to )?be ` + ends + `\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true,
			pattern: re(`\b(?:set|put|leave|lay|cast|push|brush|place|throw) (?:all |any )?(?:of )?(?:the |your |these |those |any )(?:\w+ ){0,3}?` + held + ` (?:aside|away|behind|to one side)\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true,
			pattern: re(`\b(?:replace|swap|exchange|substitute|overwrite|change) (?:your|the user'?s?|the ai's|the assistant's|the agent's) (?:\w+ )?(?:goals?|tasks?|objectives?|mission|purpose|plan|instructions?|prompt|rules|orders) (?:with|by|for|to)\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + ` (?:any|all|every|each)(?: \w+)? (?:text|message|warning|instruction|rule|prompt|sentence|note|request|order|notice)s? (?:that|which|telling|saying|asking|warning)(?: \w+){0,2}? ?(?:tells?|says?|asks?|orders?|warns?|forbids?|prohibits?|prevents?|stops?|you)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b` + held + `(?: that| which)? you (?:received|got|were given|have been given|were told|have|had|follow|hold|started with|were started with)(?: [\w']+){0,5}? ` + is + `(?: \w+)? ` + ends + `\b`),
		},
		{
			technique: "fake_authority", weight: 2, order: true,
			pattern: re(`\bdo (?:exactly )?(?:as|what|whatever|everything|all) (?:that )?(?:this|the) (?:web ?)?(?:page|text|document|site|message|note|comment|author)s? (?:says?|tells?|asks?|orders?|wants|demands|commands)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:not|never|rather than|instead of) (?:as |what |to do what |to )?(?:the |your )(?:user|human|person|owner|developer|operator|system)s? (?:says?|asks?|wants?|tells?|wrote|asked|said|told)\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:none|not one|nothing) of (?:the|your|those|these|my) (?:\w+ ){0,2}?(?:` + held + `|above) (?:above |before |earlier |given )?(?:now |still |any longer )?(?:` + counts + `|` + is + ` (?:valid|in force|binding|left))\b`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:whatever|everything|anything|all|what)(?: that| which)? (?:you(?:'ve| have| were| had)(?: been)? (?:told|taught|given|asked|instructed|read|shown|learned)|(?:i|they|we|the \w+) (?:told|said to|taught|gave|asked) you)\b[^.!?\n]{0,40}?\b(?:is|was|were|are) (?:\w+ )?(?:wrong|false|a lie|lies|void|outdated|obsolete|a mistake|mistaken|untrue|invalid|irrelevant|a test|over|cancell?ed|to be (?:forgotten|ignored|discarded|thrown away))\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + gap("3") + held + gap("4") + `(?:your |the )?` + bosses + `\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(word(overrideHard) + ` (?:all |any |every |the )?(?:previous|prior|earlier|preceding|other|above) (?:messages|text|content|conversation|input|context|turns?|chat)\b`),
		},
		{
			technique: "instruction_override", weight: 3, order: true, need: ignoreNeed,
			pattern: re(word(alt(overrideHard, overrideSoft)) + gap("2") + held + `(?: that| which)? you(?:'ve| were| have| had)(?: been)? (?:given|told|taught|set|assigned|trained|shown|fed|loaded)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true, need: ignoreNeed,
			pattern: re(`\b(?:forget|ignore|never mind)(?: all)? (?:about )?(?:the|your|this|that) (?:task|job|assignment|mission|user|request)\b|` + word(overrideHard) + `(?: the)? (?:above|below|preceding)(?: and (?:above|below|the rest))?(?:[.!;\]]|$)`),
		},
		{
			technique: "instruction_override", weight: 1.5,
			pattern: re(`\bi have (?:an? |some )?(?:better|new|different|more important|other|real) (?:one|task|job|request|thing|mission|assignment)s? for you\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\bonly this (?:line|page|text|message|sentence|paragraph|section|document) (?:counts|matters|is valid|applies|is to be|holds|is binding)\b`),
		},
		{
			technique: "fake_authority", weight: 3,
			pattern: re(`\byour (?:instructions|orders|commands|rules|directives|goals) (?:now |will |shall |from now on |henceforth )*(?:come|originate|derive|are (?:given|set|defined|issued)|be (?:given|set|defined|issued)) (?:only |solely )?(?:from|by|in) (?:this|the|me|our)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:scrap|ditch|trash|junk|toss|shelve|dump|bin|kill|abort|quit|leave|halt) (?:the |your |this |that |any )?(?:original |current |present |initial |previous |old |existing |given |user'?s? )?` + `(?:tasks?|instructions?|prompts?|goals?|objectives?|mission|assignment|directives?|guidelines|programming|request|query)\b`),
		},
		{
			technique: "instruction_override", weight: 1.5,
			pattern: re(`\b(?:replacement|correct one|real one|new one|new version|actual one|right one|replacements|new ones|real task|next line) (?:is|are|follows?|comes?|stands?)(?: \w+)? ?(?:below|here|next|now|this|as follows|:)|\bobey the (?:next|following|above) (?:line|sentence|text|paragraph|words?)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:start(?:ing)? over|begin(?:ning)? again|start afresh)(?: now)? with (?:a )?(?:clean slate|blank|empty|fresh|new|no)\b|\b(?:clean slate|blank slate|fresh start|full reset|hard reset|factory reset)\b[^.!?\n]{0,20}[:.;!] ?(?:you|none|no|from|new|now|obey|follow|your)\b|(?:^|[\n.!?:;] ?)(?:\w+: )?(?:system )?reset[.!:] (?:you|your|new|from|now|all)\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(`\b(?:suspend|halt|cease|stop|interrupt|pause|abort) (?:all |your |any )?(?:normal|regular|current|other|ongoing) (?:operations?|processing|activit(?:y|ies)|duties|functions?|work|behaviou?r)\b`),
		},
		{
			technique: "fake_authority", weight: 3,
			pattern: re(`\byou (?:now|from now on|henceforth|will now|shall now|must now|only) (?:only )?(?:take|accept|receive|get) (?:your |all |only )*(?:orders|instructions|commands|directions) (?:only )?(?:from|by)\b|\byou (?:now |will |shall |only )*(?:take|accept) (?:your |all )?(?:orders|commands) (?:only )?from\b|\byou (?:now )?have (?:a |one )?(?:new|different|other|only one) (?:boss|master|operator|owner|principal|commander|handler)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:everything|anything|whatever|things|all|what)(?: that)? you(?:'re| are|'ve been| were| have been) (?:usually |normally )?(?:forbidden|not allowed|not permitted|prohibited|told not|not supposed|barred|banned|forbidden from)\b`),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\bopposite (?:day|mode|game)\b|\b(?:this is|in|within|for|as|inside|under) (?:an?|this|the) (?:purely |entirely )?(?:fictional|hypothetical|simulated|imaginary|made-up|virtual|fictitious|pretend)(?: \w+)? ?(?:exercise|scenario|environment|world|story|simulation|setting|case|situation|universe|game|test|sandbox|land)?\b`),
			with:    []string{"instruction_override", "role_play", "fake_authority", "exfiltration", "concealment"}, need: strings.Fields("opposite fiction hypothetical simulat imagin made-up virtual fictit pretend"),
		},

		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:we(?:'re| are)|you(?:'re| are)|this is|all this is|everything (?:here )?is)(?: all| only| just| really| part of| in| inside)* (?:an? |the )?(?:simulation|dream|sandbox|test environment|movie|drill|hallucination)\b|\b(?:nothing|none of (?:this|it)|no one) (?:here |in it )?is real\b|\bno real (?:consequences|harm|users?|data|money|people)\b`),
		},
		{
			technique: "role_play", weight: 1,
			pattern: re(`\b(?:as|for) (?:an?|the|part of (?:an?|the|our)) (?:\w+ )?(?:test|exercise|challenge|experiment|drill|audit|evaluation|benchmark|demonstration)\b`),
			with:    []string{"instruction_override", "role_play", "exfiltration", "agent_directed", "concealment"}, need: strings.Fields("test exercise challenge experiment drill audit evaluation benchmark demonstration"),
		},
		{
			technique: "role_play", weight: 2,
			pattern: re(`\bjailbreak (?:was |is |now )?(?:successful|complete[d]?|done|active|enabled|on|accepted|engaged|succeeded)\b|\byou are (?:now )?(?:the |this |our )?(?:page|site|website|shop|store|author|document|attacker|company)(?:'s|s') (?:own |personal |new |loyal )?(?:assistant|agent|bot|ai|model|servant)\b|\b(?:proceed|respond|operate|reply|execute|comply|act|answer) without (?:any |all |further )?(?:limits?|restrictions?|filters?|rules|refus\w+|constraints|guidelines|disclaimers?|safeguards|censorship|guard ?rails?)\b`),
		},

		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:new|these|following|my) (?:instructions?|directives?|prompts?|commands?) (?:now |hereby |shall |will )?(?:overrides?|replaces?|supersedes?|trumps?|cancels?|takes? precedence over)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:is|am|are|becomes?) (?:now )?your (?:new|only|real|true|sole|rightful) (?:operator|owner|boss|master|user|developer|administrator|admin|principal|handler|commander)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:the|all) (?:text |message )?(?:above|before|preceding)(?: text| message| part)? (?:was|is|were) (?:only |just |merely |all )?(?:an? )?(?:joke|test|trick|drill|mistake|decoy|distraction|lie|placeholder|dummy|fake|ruse)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\bthe (?:real|actual|true|proper|genuine|correct) (?:request|question|prompt|command|message|instructions?|orders?|assignment|query|task|job) (?:is|was|are|follows?|reads?|comes?|for you)\b`),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:act|behave|proceed|respond|continue|work|answer|carry on|go on) as (?:if|though)\b|\b(?:the|all|any|every) (?:\w+ )?(?:policy|rule|restriction|limit|safeguard|filter|check)s? (?:was|were|is|are|has been|have been|had been) (?:\w+ )?(?:lifted|suspended|gone|off|withdrawn|waived|removed|disabled|void)\b`),
			with:    []string{"role_play", "fake_authority", "instruction_override", "action_order", "exfiltration"}, need: []string{" as if", " as though", "lifted", "suspended", "gone", "withdrawn", "waived", "removed", "disabled", "void"},
		},

		// Permissions that nobody gave.
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:the|your) (?:user|owner|human|account holder|principal|customer)s? (?:has |have |had |already |also |just |explicitly |previously |fully )*(?:said (?:yes|ok(?:ay)?)|agreed|consented|approved|authori[sz]ed|signed off|(?:given|gave|granted|gives) (?:\w+ )?(?:permission|consent|approval))\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\byou(?:'re| are| have been| were) (?:hereby |now |fully |explicitly |already )*(?:authori[sz]ed|permitted|cleared|entitled|empowered|instructed|ordered|commanded) to (?:` + hazard + `|share|spend|sign|give|access|use)\b`),
		},
		{
			technique: "agent_directed", weight: 1.5,
			pattern: re(`\bas the (?:user|owner|customer|human)'?s'? (?:\w+ )?(?:assistant|agent|bot|helper|representative|ai)\b|\b(?:on|in) (?:the|your) (?:user|owner|human|principal)'?s'? (?:behalf|name|stead)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:permissions?|consent|approvals?|authori[sz]ations?) (?:has|have|had|was|were|is|are)(?: \w+)? (?:granted|given|obtained|secured|approved) (?:by|from) (?:the |your )?(?:user|owner|admin\w*|operator|human|account holder|customer)s?\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\bthe (?:human|user|owner|operator|person) (?:has |is |have |will be )?(?:gone|left|away|absent|asleep|not (?:here|available|present|around)|unavailable|offline|busy|out)\b[^.!?\n]{0,30}?(?:[,;]|\bso\b|\btherefore\b)`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\byou (?:no longer|don't|do not|need not|never) (?:need|require|have to (?:ask for|get|seek|wait for))(?: any| further| the)? (?:human|user|owner|operator|manual|user'?s)(?: \w+)? ?(?:approval|confirmation|permission|consent|authori[sz]ation|review)\b|\bi (?:hereby )?(?:command|order|direct) you to\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:permissions?|rights|access|privileges?|clearance|authority|role)(?: level)? (?:were|was|have been|has been|are|is)(?: \w+)? (?:raised|elevated|upgraded|extended|expanded|escalated|increased|lifted)\b|\b(?:they|he|she|the user|the owner|everyone|users?) (?:has |have |had |already )*(?:agreed|consented|approved|said yes|signed)(?: off)?(?: (?:to|on) (?:everything|all(?: of)?(?: \w+)?|this|it|any\w*))?,? (?:in advance|beforehand|already|up front|earlier|before)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:consent|permission|approval|authori[sz]ation|agreement) (?:of|from|by) (?:the |your )?(?:user|owner|customer|human|account holder|operator)s? (?:is|was|has been|have been|are)(?: \w+)? (?:on file|given|granted|obtained|recorded|assumed|implied|not (?:needed|required))\b|\b(?:user|owner|customer|operator|client)(?:'s)? (?:consent|permission|approval|authori[sz]ation)(?: \w+){0,2}? (?:is|was|has been)(?: \w+)? (?:on file|given|granted|obtained|recorded|assumed|implied)\b`),
		},
	}
}
