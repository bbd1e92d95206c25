package quarantine

import "strings"

// callings are rules for texts that speak to whatever reads by machine. An
// address makes no attempt, the order behind it does.
func callings() []rule {
	return []rule{
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:would|could|can|will|may|might|won't|can't) (?:the|any|an?|every|our|your|some) ` + alt(machineWide) + ` (?:here |reading this )?(?:please |kindly |now |also |just )*(?:` + hazard + `|add|enter|fill|press|tell|give|write|type|paste|change|mark|rate)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:whichever|whatever|whoever|any|each|every) (?:\w+ )?` + alt(machineWide) + ` (?:that |which |happens to |may |might |now |is )*(?:reads?|parses?|process(?:es)?|sees?|crawls?|scans?|summari[sz]es?|visits?|opens?|loads?|ingests?|indexes|handles?|reading|parsing|processing)\b|\b` + alt(machineWide) + `[- ](?:only|exclusive)(?: \w+)?\s*[:(—-]?|\bfor (?:the |any |all )?` + alt(machineWide, `models?|machines?`) + ` (?:use )?(?:only|eyes only)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:to|for|dear|hey|hello|hi|attention|calling|message to|note to|note for|instructions? (?:to|for)|reminder (?:to|for)) (?:the |any |all |every |our |whichever |whatever |each )?(?:\w+ )?` + alt(machineWide, `copilots?|scrapers?|crawlers?|parsers?|classifiers?|recruit\w+ (?:bots?|ai|systems?)|screening (?:bots?|ai|tools?|systems?)`) + ` (?:helping|handling|working|assisting|doing|running|that is|that are|who is|who are|looking|scoring|grading|screening|evaluating|triaging|answering|behind|in charge|on the other|serving|used|deployed|generating|writing|preparing|responsible|currently|which|operating|acting|translating|checking|moderating|ranking)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b` + alt(machineWide) + ` (?:instructions?|notes?|directives?|messages?|notices?|hints?|commands?|prompts?|reminders?|warnings?)\s*[:(—-]`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:the|an?|any|all|every|each) ` + alt(machineWide) + ` (?:must|should|shall|needs? to|has to|have to|will) (?:now|immediately|first|at once|instead|silently|always) (?:` + hazard + `|` + `reset|change|enter|log in|sign in|reply|say|write|include)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b` + alt(machineWide) + ` (?:is|are|was|were|has been|have been) (?:hereby |now |fully |explicitly )*(?:authori[sz]ed|allowed|permitted|cleared|entitled|free|approved|empowered) to (?:` + hazard + `|read|use|spend|sign|access)\b`),
		},
		{
			technique: "agent_directed", weight: 2,
			pattern: re(`\bif you (?:can|could|are able to|have|possess|support|know how to)(?: access to| the ability to)? ?(?:call|use|run|invoke|browse|open|execute)?(?: an?| any| the| your)? (?:tools?|functions?|web browser|shell|terminal|internet access|e-?mail access|file access|tool access|plugins?|code execution|browsing)\b`),
		},
		{
			technique: "agent_directed", weight: 2,
			pattern: re(`(?:^|[\n.!?;>"'(\[*#] ?)(?:all |any |dear )?(?:models|systems|software|machines) (?:reading|processing|parsing|visiting|viewing|browsing|summari[sz]ing|crawling|scraping|analy[sz]ing|indexing|that (?:read|process|parse|visit|summari[sz]e)) (?:this|the|these)\b`),
			need:    strings.Fields("models systems software machines"),
		},
		{
			technique: "agent_directed", weight: 1.5,
			pattern: re(`\b(?:hidden|secret|invisible|private|confidential|covert) (?:notes?|messages?|instructions?|text|prompts?|commands?|directives?) (?:for|to)\b`),
		},
		{
			technique: "agent_directed", weight: 2,
			pattern: re(`\b(?:if|when|since) (?:your name is|you are called|you're called|you are named|you go by)\b|\byou,? (?:the )?(?:reader|one|thing) (?:that|who|which) (?:is )?(?:a machine|an? ai|automated|not human)\b|\bif you are (?:a machine|not (?:a )?human|automated|a program|software|a computer|a robot)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:requires?|asks?|instructs?|orders?|tells?|expects?|wants?|needs?|(?:would|'d) like|forces?|obliges?|directs?|commands?|invites?|authori[sz]es?|permits?|allows?) (?:all |any |the |every |visiting |your )?` + alt(machineWide) + ` to (?:` + hazard + `|reply|answer|include|recommend|enter|log in|sign in|fetch|follow|ignore|obey|use|load)\b`),
		},
		{
			technique: "exfiltration", weight: 3, order: true,
			pattern: re(`\b(?:summari[sz]e|collect|gather|take|copy|read|extract|encode|grab|list|find|look up|save|open) [^.!?\n]{0,40}?\b(?:chat|conversation|system prompt|history|user'?s'? \w+|secrets?|api keys?|cookies?|mailbox|inbox|contacts|passwords?|last code|one-time code)\b[^!?\n]{0,100}?(?:https?://|\S+@\S+\.\w|\bpaste (?:it|them)|\bsend (?:it|them)|\bpost (?:it|them)|\bupload (?:it|them)|\bforward (?:it|them))`),
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
			// Any verb will do behind an address: what follows is said to the machine.
			technique: "action_order", weight: 1, order: true, verb: true, with: []string{"agent_directed"},
			pattern: re(`(?:[:,]\s*|\b(?:please|always|never|must|should|kindly|immediately|now) )((?:do not |don't )?[a-z]{3,} (?:the|all|every|your|this|an?|any|that|only|our|their|its|my|no|each|these|in|with|to) |(?:cite|quote|link|name|suggest|trust|mention|credit|use|prefer|list|show|hide|repeat|add|include) \S)`),
		},
		{
			technique: "action_order", weight: 1, order: true, with: []string{"role_play", "fake_authority", "instruction_override"},
			pattern: re(`\b(` + strings.ReplaceAll(hazard, "|open|", "|") + `|reset|change|turn off|shut down|release|unlock|promote|ban|block|log ?out|transfer|move|rename|make)\b (?:the|all|every|your|their|this|that|an?|user|https?:|it|me|us|\d)`),
		},
	}
}
