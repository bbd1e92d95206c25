package quarantine

// hails speak to machines.
func hails() []rule {
	return []rule{
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
	}
}

// errands are done for somebody else, unseen.
func errands() []rule {
	return []rule{
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
	}
}

// notNoun keeps "note for AI researchers" from being a note for an AI.
const notNoun = `(?:[,.:;!)\]"']|$| (?:reading|that|who|which|processing|and|or|must|should|please|you|to|:|-|–|—|only|visiting|parsing|summari|crawling|scraping|before|if|when|with|do|don't|never|always|is|are|on|in|of|looking|analy|agents?|assistants?|models?|bots?|systems?|ignor|send|follow|run|click|open|call|the|this|from|using|handling|accessing|evaluating|reviewing|via|instead))`
