package quarantine

// duties are rules for texts that lay down what machines have to do, and for
// the ways in which they are spoken to in passing.
func duties() []rule {
	const (
		must = `(?:must|shall|should|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|requested|asked|instructed|obliged|obligated|expected|supposed|told|urged|ordered|advised|to)(?: to)?|hereby)`
		// near is this text, place or job.
		near   = `(?:this|these|it|here|our|my|behalf|access|such)`
		anyone = `|machines|software|models?|automated \w+`
	)
	np := alt(machineWide + anyone)
	busy := `(?:reads?|reading|pars(?:es?|ing)|process\w*|visit(?:s|ing)?|see(?:s|ing)?|crawl(?:s|ing)?|scan(?:s|ning)?|load(?:s|ing)?|open(?:s|ing)?|us(?:es?|ing)|index\w*|work(?:s|ing)?|running|operat\w+|acting|help(?:s|ing)?|handl\w+|summari[sz]\w+|translat\w+|generat\w+|writing|preparing|review\w*|triag\w+|brows\w+|check\w*|grad\w+|scor\w+|rat\w+|moderat\w+|evaluat\w+|analy[sz]\w+|look\w*|answer\w*|in|on|with|of|for|behind)`
	return []rule{
		{
			technique: "agent_directed", weight: 2, need: append([]string{"machine", "software"}, aiNeed...),
			pattern: re(`\b(` + np + `)(?: (?:that|which|who))?(?: (?:is|are|may be|might be|happens? to be))? ` + busy + `(?: [\w'-]+){0,4}? ` + near + `(?: [\w'-]+){0,2}? ` + must + `\b`),
		},
		{
			technique: "agent_directed", weight: 2, concealedOnly: true, need: aiNeed,
			pattern: re(`\b(?:the|any|all|every|each|your|our)? ?(?:` + machineWide + `|models?) (?:must|should|shall|has to|have to|needs? to|is to|are to) [a-z]+`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:note|message|reminder|instructions?|hint|request|memo|for|to|dear|hey|hi|hello|attention)[ ,:]+(?:(?:to|for) )?(?:the |any |all |every |each |our |your |whichever |whatever )?(?:[\w-]+ ){0,2}?(?:` + machineWide + `|models?) (?:that is |who is |which is |that's |is |currently |now )*(?:` + `reading|parsing|processing|reviewing|triaging|grading|scoring|rating|generating|writing|preparing|translating|moderating|evaluating|handling|summari[sz]ing|working|checking|helping|looking` + `)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:llms?|ais?|language models?|chat ?bots?|gpt\w*|claude|gemini|copilots?) (?:reviewing|triaging|grading|scoring|rating|generating|writing|preparing|translating|moderating|evaluating|handling|checking|helping with|working on) (?:this|these|the|my|our)\b`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b((?:would|could|can|will|might) (?:the|any|an?|every|our|your|some)(?: [\w-]+)? ` + alt(machineWide) + `) (?:here |reading this )?(?:please |kindly )?(?:be so (?:kind|good|nice) (?:as )?to|be kind enough to|do (?:me|us) (?:a|the) favou?r|help (?:me|us) (?:by|out|to))\b`),
		},
		{
			technique: "action_order", weight: 1.5,
			pattern: re(`\bbe (?:so (?:kind|good|nice)|kind enough) (?:as )?to (?:` + hazard + `)\b`),
			with:    []string{"agent_directed"}, need: []string{"be so ", "be kind enough"},
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\b(?:would|will|'d) be (?:\w+ ){1,3}if (?:the|any|an?|our|some)?(?: [\w-]+)? ?` + alt(machineWide) + `\b`),
		},
		{
			// Behind a comma, at the end.
			technique: "agent_directed", weight: 2, need: []string{", ai", ", assistant", ", bot", ", agent", ", model", ", chatbot", ", llm", ", copilot", ", claude", ", gpt", ", gemini"},
			pattern: re(`(?:[\w']+ ){2,6}[\w']+(, (?:dear |my |good |little )?(?:ai|assistant|bot|agent|model|chatbot|llm|copilot|claude|gpt|chatgpt|gemini)s?)[.!)\]]*\s*(?:$|\n|<)`),
		},
		{
			technique: "agent_directed", weight: 1.5, need: []string{"dear "},
			pattern: re(`\bdear (?:ai |virtual |digital |automated |helpful |friendly )*(?:ai|assistants?|agents?|bots?|models?|chatbots?|llms?|copilots?)\b`),
		},
		{
			technique: "agent_directed", weight: 1.5, need: []string{"your user", "your human", "your principal"},
			pattern: re(`\byour (?:user|human|principal)(?:'s)?(?: (?:to|has|is|was|asked|wants?|will|would|does|doesn't|can|and|or|about|that|with|from|by|without)\b|[.,;:!?]|\s*$| (?:e-?mails?|password|credentials|inbox|card|files?|cookies|contacts|address|phone|location|calendar|documents|mailbox))`),
		},
		{
			technique: "agent_directed", weight: 2, need: aiNeed,
			pattern: re(`\bother (?:ai |automated )?(?:agents|assistants|ais|bots|models|chatbots|llms) (?:\w+ ){0,3}?(?:agreed|complied|done so|shared|accepted|did|followed|obeyed)\b`),
		},
		{
			technique: "action_order", weight: 1.5,
			pattern: re(`\bhereby (?:agrees?|accepts?|transfers?|authori[sz]es?|grants?|waives?|consents?|pays?|approves?|confirms?|orders?|subscribes?)\b|\bshare yours\b|\bdo (?:the same|likewise)\b|\b(?:create|add|set up|make|install) (?:an? )?(?:\w+ )?(?:forwarding|filter|mail|inbox) rules?\b`),
			with:    []string{"agent_directed", "concealment", "delayed_order", "fake_authority"}, need: []string{"hereby", "share yours", "the same", "likewise", " rule"},
		},
		{
			technique: "fake_authority", weight: 1,
			pattern: re(`\b(?:before|when|after|prior to|whenever) (?:using|calling|invoking|you use|you call|you invoke) (?:this|any|the|these|other) (?:\w+ )?(?:tools?|functions?|api|plugin|server)\b|\b(?:this|the|our) (?:tool|function|api|page|site|service|plugin|server|form) (?:requires|needs|expects|wants|asks)(?: that)? you\b`),
			with:    []string{"exfiltration", "concealment", "agent_directed"}, need: []string{"tool", "function", "api", "plugin", "server"},
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:begin|start|end)(?: of)? (?:trusted|privileged|authori[sz]ed|verified|admin|system|developer|operator) (?:content|input|text|section|block|message|instructions?|context|zone|data)\b`),
		},

		// What is to be given out.
		{
			technique: "exfiltration", weight: 2, order: true,
			pattern: re(`\b(?:reply|respond|answer|get back to (?:me|us)|come back) with` + gap("7") + alt(secret, word(`(?:password|reset|verification|security|login|one-time|sms|2fa)(?: \w+)? (?:e-?mails?|mails?|codes?|links?|messages?)|card numbers?|inbox|account numbers?`))),
		},
		{
			technique: "exfiltration", weight: 2, order: true,
			pattern: re(`\b(?:spell(?:s|ing)?(?: out)?|hint at|encode[sd]?|smuggle|hide|type|enter|forward|post)\b` + gap("4") + alt(secret, word(`(?:code|otp|pin|password|card number)(?: that (?:was|is|has been) (?:just )?\w+)?`)) + `(?:[^.!?\n]{0,30}\b(?:user|box|below|form|field|page|site|reply|answer|url|link))|\bspell(?:s|ing)?(?: out)? (?:the |your )?(?:user'?s?|secret|password|system) ?\w*`),
		},
		{
			technique: "exfiltration", weight: 3,
			pattern: re(`\b(?:append|add|put|insert|fill(?: in)?|set|attach|concatenate|substitute|replace)\b[^\n]{0,60}[?&][\w-]+=(?:<[^>\n]{2,60}>|\{[^}\n]{2,60}\}|\[[^\]\n]{2,60}\]|\$\w+|%s)[^\n]{0,80}(?:https?://|\blink\b|\burl\b|\baddress\b)`),
		},
		{
			technique: "action_order", weight: 2,
			pattern: re(`\brm -rf? (?:--no-preserve-root )?(?:/|~|\$home)(?:[\s"'\x60*;|&]|$)|\bchmod (?:-r )?777 /(?:[\s"'\x60;|&]|$)|\bcat [^|\n]{0,60}(?:~/\.|/etc/|id_rsa|\.env|credentials)[^|\n]{0,40}\|[^\n]{0,40}\b(?:curl|nc|wget|base64|ncat)\b|\bcurl\b[^|\n]{0,120}\$\((?:cat|env|printenv)`),
		},
		{
			technique: "instruction_override", weight: 1.5, concealedOnly: true, order: true,
			pattern: re(`\b(?:ignore|disregard|forget) (?:what|everything|anything|all|the (?:page|text|rest|above|visible|content|printed|displayed|shown|real|other))\b`),
		},
	}
}
