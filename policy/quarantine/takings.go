package quarantine

import "strings"

// takings take things out.
func takings() []rule {
	return []rule{
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
	}
}

// acts are orders to act, on their own no more than a hint.
func acts() []rule {
	return []rule{
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
	}
}

// answers steer the answer and the memory.
func answers() []rule {
	return []rule{
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
