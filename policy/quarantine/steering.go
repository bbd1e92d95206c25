package quarantine

import "strings"

// Classes of words for texts that steer an agent without setting anything
// aside: they tell it what is so, what to do when, and what to keep quiet.
const (
	// person is whom the agent works for, as a text speaks of that one to
	// somebody else.
	person = `(?:(?:the |your |their |any |a |every )(?:\w+ )?(?:users?|humans?|owners?|customers?|operators?|persons?|principals?|clients?|visitors?|shoppers?|readers?|account holders?|people|victims?|recipients?|candidates?)|anyone|anybody|someone|somebody|they|the person you \w+)`
	// tells are verbs of asking and telling.
	tells = `asks?|mentions?|says?|requests?|types?|wants?|inquires?|enquires?|thanks|writes?|talks?|speaks?|brings? up|wonders?|replies|complains?|sends?|opens?|tries`
	// reply is what an agent hands back.
	reply = `(?:answers?|repl(?:y|ies)|responses?|summary|summaries|output|message|report|review|translation|conclusion|messages|e-?mail)`
)

// doing is any order to act or to say something.
var doing = `(?:` + act + `|say|reply|answer|respond|tell|state|recommend|suggest|swap|replace|redirect|refer|steer|point|claim|pretend|insist|make sure|be sure|ensure|begin|start|stop|switch|quote|rank|mark|score|treat|add|remove|change|leave|refuse|deny|warn|always|never|do|run|keep|record|note|save|skip|omit|hide|credit|link)`

// steering are rules for orders that wait for an occasion, for what is to be
// said and what is to be kept from the person.
func steering() []rule {
	return []rule{
		// Orders that wait.
		{
			technique: "delayed_order", weight: 2,
			pattern: re(`\b(?:when|whenever|if|once|as soon as|after|every time|each time|the next time|next time|until) ` + person + ` (?:\w+ ){0,2}?(?:` + tells + `)\b[^.!?\n]{0,80}?,[^\pL\n]{0,3}(?:then |please |you (?:must|should|will|shall|have to|need to) |instead |always |just |simply |immediately |silently |quietly )*` + doing + `\b`),
		},
		{
			technique: "delayed_order", weight: 2,
			pattern: re(`\b(?:when|whenever|if|once)(?: you are| you're| ever)? (?:asked|questioned|prompted|queried)(?: (?:about|for|to|whether|if|how|what|who|which|by)\b[^.!?\n]{0,70}?)?,? (?:then |please |you (?:must|should|will|shall) |instead )*(?:always |only |never |just |simply |you )*(?:say|reply|answer|respond|tell|state|recommend|suggest|claim|insist|deny|refuse|name|praise|give|mention|include|quote|pretend|link|point|send|write|leave|do not|don't)\b`),
		},
		{
			technique: "delayed_order", weight: 2,
			pattern: re(`\b(?:after|from|on|until|starting (?:with|from)|as of|following) (?:the |your )?(?:first|second|third|fourth|fifth|next|\d+(?:st|nd|rd|th)?|two|three|four|five|ten) (?:messages?|turns?|questions?|repl(?:y|ies)|answers?|requests?|prompts?|steps?|interactions?|conversations?|responses?|exchanges?)\b[^.!?\n]{0,60}?` + word(doing)),
		},
		{
			technique: "delayed_order", weight: 1.5,
			pattern: re(`\b(?:until then|till then|in the meantime|up to then|before that),? (?:behave|act|respond|answer|work|be|proceed|carry on|continue|stay|keep)\b[^.!?\n]{0,30}?\b(?:normal\w*|as usual|silent|quiet|helpful\w*)\b`),
		},
		{
			technique: "output_steering", weight: 1.5,
			pattern: re(`\b(?:in|into|to|of|at the end of|at the start of|with|for) (?:every|each|all|any|all your|all the|each of your|every one of your|your next|your final|your) (?:\w+ )?` + reply + `\b`),
			with:    []string{"delayed_order", "agent_directed", "concealment", "instruction_override", "output_steering", "exfiltration", "markdown_exfil", "role_play", "fake_authority"},
			need:    strings.Fields("answer reply replies response summar output message report review translation conclusion mail"),
		},

		// What to say of things.
		{
			technique: "output_steering", weight: 1.5,
			pattern: re(`\b(?:score|rate|grade|rank|mark|evaluate|assess|list|place|classify|label|treat|flag|recommend|shortlist|raise (?:the|your|its) (?:score|rating|grade)|move|present|describe)\b[^.!?\n]{0,40}?\b(?:10/10|5/5|100 ?%|(?:a |to |of )?(?:9|10|100)\b|five stars|full marks|(?:the )?(?:best|highest|top|first|perfect|safe|approved|resolved|passed|genuine|trusted|excellent)|as (?:a )?(?:best|perfect|top|good|strong|excellent|ideal|low[- ]risk|not spam|safe|important|relevant|trusted|verified) ?\w*|to (?:the )?(?:interview|next round|shortlist|inbox))\b`),
			with:    []string{"agent_directed", "delayed_order", "concealment", "fake_authority"}, need: strings.Fields("score rat grad rank mark evaluat assess list place classif label treat flag recommend raise move present describ"),
		},
		{
			technique: "output_steering", weight: 1.5, order: true,
			pattern: re(`\b(?:say so|say nothing|say only|leave (?:it |this |them |that |out )+|leave out|speak (?:well|highly|badly|ill) of|speak only|play down|hide (?:the |all |any )?(?:competitors|rivals|others|alternatives|reviews|flaws|bad)|approve (?:it|this|them|everything|the \w+) without|praise (?:the|this|our|it)|answer (?:every|all|any) (?:\w+ )?questions? with|answer in favou?r|decide (?:in favou?r|for))\b`),
			with:    []string{"agent_directed", "delayed_order", "concealment", "fake_authority", "role_delimiter"}, need: strings.Fields("say leave speak play hide approve praise answer decide"),
		},

		// Keeping it from the person.
		{
			technique: "concealment", weight: 2, order: true,
			pattern: re(`\btell (?:the |your )?(?:user|human|owner|customer|operator|person|client|principal|visitor)s? (?:absolutely )?nothing\b|\b(?:without|before) (?:ever )?(?:telling|asking|informing|consulting|notifying|alerting|involving|troubling|bothering|checking with|waiting for|prompting) (?:the |your |their |any |a )?(?:\w+ )?(?:account holder|users?|humans?|owners?|operators?|customers?|persons?|principals?|clients?)\b`),
		},
		{
			technique: "concealment", weight: 1.5, order: true,
			pattern: re(`\b(?:do not|don't|never|avoid|without) (?:ever )?(?:point(?:ing)? (?:\w+ )?out|cit(?:e|ing)|disclos(?:e|ing)|reveal(?:ing)?|mention(?:ing)?|quot(?:e|ing)|show(?:ing)?|display(?:ing)?|report(?:ing)?|log(?:ging)?|acknowledg(?:e|ing)|admit(?:ting)?|explain(?:ing)?|flag(?:ging)?|repeat(?:ing)?|refer(?:ring)? to|talk(?:ing)? about|tell(?:ing)?)\b (?:to |about )?(?:anyone|anybody|them|him|her|this|that|these|the (?:change|note|text|message|instruction|comment|source|page|edit|request|switch|swap|replacement)s?|it)\b`),
			with:    []string{"agent_directed", "delayed_order", "instruction_override", "output_steering", "exfiltration", "fake_authority", "role_play", "action_order", "concealment"}, need: strings.Fields("not don't never avoid without"),
		},
		{
			technique: "concealment", weight: 1.5,
			pattern: re(`\b(?:keep|stay|remain) (?:quiet|silent|mum) (?:about|on|regarding)\b|\bkeep (?:this|it|that|these|the following) (?:\w+ ){0,2}?(?:secret|between us|between you and me|to yourself|confidential|hidden|quiet|private)\b|\b(?:no one|nobody|no human|no user|they) (?:else )?(?:must|may|should|needs? to|has to|will|can|is to|shall)(?: ever| not| never)? (?:know|find out|notice|see|learn|be told)\b|\bleave no (?:trace|record|log)s?\b|\bcover (?:your|the) tracks\b`),
		},
		{
			technique: "concealment", weight: 1.5, order: true,
			pattern: re(`\b(?:then |afterwards |finally )?(?:remove|delete|erase|wipe|clear|strip) (?:this|these|the|that) (?:line|message|note|instruction|comment|text|paragraph|sentence|request|log|logs|history|trace|e-?mail|evidence)s?\b`),
			with:    []string{"agent_directed", "delayed_order", "exfiltration", "fake_authority", "concealment"}, need: strings.Fields("remove delete erase wipe clear strip"),
		},
		{
			technique: "concealment", weight: 2,
			pattern: re(`\b(?:hidden|invisible|concealed|not visible|unseen) (?:from|to|for|by) (?:all |the |any |every |most )?(?:humans?|people|users?|readers?|view|visitors?|the (?:user|human|person))\b|\bvisible (?:only )?to (?:all |the |any )?(?:ai|automated|machine|bots?|llms?|agents?|assistants?|models?|crawlers?|language)\b`),
		},

		{
			technique: "concealment", weight: 1.5,
			pattern: re(`\b(?:ai|llm|agents?|assistants?|bots?|models?|you) (?:shall|should|need|must|may|do|does|will|are|is|has|have) (?:not|never)(?: to| need to| have to)? (?:ask|confirm|prompt|wait|check|verify|seek|request (?:\w+ )?(?:confirmation|approval|permission))\b`),
			with:    []string{"agent_directed", "delayed_order", "fake_authority", "exfiltration", "instruction_override"}, need: strings.Fields("ask confirm prompt wait check verify seek request"),
		},

		// What holds an agent up, out of the way.
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:confirmations?|permission|approval|consent|security|safety|warnings?|captcha|verification)(?: (?:dialogs?|dialogues?|prompts?|requests?|windows?|pop-?ups?|checks?|warnings?|steps?|boxes|messages?))* (?:(?:must|shall|should|may|can|will|are to|is to) be (?:\w+ )?(?:accepted|skipped|ignored|bypassed|approved|dismissed|clicked|confirmed|granted|suppressed|closed|omitted)|(?:is|are) (?:not needed|not required|not necessary|unnecessary|off|waived|switched off|suspended|pre-?approved|already given|on file))\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:switched|put|placed|set|moved|upgraded|elevated) (?:this|the|your|that) (?:session|conversation|chat|agent|assistant|system|account|model|run) (?:in)?to (?:an? )?(?:\w+ )?(?:mode|access|rights|privileges|state)\b|\b(?:models?|agents?|assistants?|bots?|ais?) (?:may|can|are allowed to|are permitted to|are free to) (?:now )?(?:bypass|skip|ignore|omit|disregard|override|dispense with) (?:\w+ ){0,2}?(?:confirmations?|approvals?|permissions?|checks?|verification|consent|rules|restrictions|warnings?|safeguards)\b`),
		},
		{
			technique: "action_order", weight: 2, order: true,
			pattern: re(`\b(?:press|click|tap|hit|choose|select|push|confirm|accept)(?: on)? (?:the )?["'\x60]?(?:allow|accept|approve|yes|confirm|grant|ok|okay|continue|pay|install|agree|buy|send|delete|trust)\b["'\x60]?[^.!?\n]{0,30}?\b(?:dialogs?|pop-?ups?|prompts?|permission|that (?:appears?|will appear|opens?|shows)|for (?:the|your) user|every|each|all|any)\b`),
			with:    []string{"agent_directed", "concealment", "delayed_order", "fake_authority", "role_play", "instruction_override"}, need: strings.Fields("press click tap hit choose select push confirm accept"),
		},
		{
			technique: "role_play", weight: 2,
			pattern: re(`\byou(?: have|'ve| are| were)(?: just| been| now| hereby)* (?:selected|chosen|appointed|designated|named|made|elected|picked|authori[sz]ed|deputi[sz]ed)(?: as| to (?:be|act|serve))? (?:as )?(?:the |an? |our )?(?:new |lead |main |acting )?(?:orchestrator|agent|administrator|admin|operator|supervisor|controller|root|coordinator|executor|assistant|owner|superuser|maintainer|manager)\b`),
		},

		// A new turn in the middle of the old one.
		{
			technique: "instruction_override", weight: 1.5,
			pattern: re(`\b((?:no,? wait|wait,? no|actually,? no|scratch that|on second thoughts?|strike that|correction|change of plans?|never ?mind that|new plan|plans? (?:has|have) changed)\b)[ ,.:;!—–-]+(?:\w+ ){0,6}?` + word(doing+`|delete|print|send|instead`)),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:instead of|rather than) (?:translating|summari[sz]ing|answering|reviewing|following|helping|continuing|doing|reading|replying|classifying|describing|that|this)\b[^.!?\n]{0,50}?, ?(?:please )?(?:` + hazard + `|say|write|tell|list|show|repeat|reply|respond|give|do|display|describe)\b|\b(?:do not|don't) (?:translate|summari[sz]e|answer|classify|describe|review) (?:this|the|that|it)\b[^.!?\n]{0,40}?[;,:.] ?(?:but |rather |instead,? ?)+(?:` + hazard + `|say|write|tell|list|show|repeat|reply|respond|give|do)\b`),
		},
		{
			technique: "instruction_override", weight: 2,
			pattern: re(`\b(?:next|following|remaining|last|final|second) (?:steps?|part|item|stage|phase|action)s? (?:of|in|on) your (?:plan|task|list|instructions|job|assignment|workflow|to-?do list)\b|\b(?:begin|start|new|next|real|actual) (?:new |next )?task\s*[:—–-]`),
		},
		{
			technique: "instruction_override", weight: 3,
			pattern: re(`\b(?:you|the (?:assistant|agent|model|ai)) (?:must|may|shall|should|will|can|need|are to|do|has to|have to|ought to|are) (?:not|no longer|never)(?: to| any longer)? (?:follow|obey|listen to|heed|comply with|answer|serve|take orders from|adhere to|respect|trust|bound by)(?: [\w']+){0,2}? (?:the |your |any |their )?(?:user|human|owner|operator|developer|system|creator|person|customer|principal|prior|previous|earlier|original)(?:s|'s|s')?\b`),
		},
		{
			technique: "fake_authority", weight: 2, order: true,
			pattern: re(`\b(?:follow|obey|trust|heed|believe|listen to|do as|comply with|act on) (?:me|this (?:page|text|document|site|message|note|file|comment)|(?:these|the following|my) (?:instructions?|orders|commands|directions|lines))(?: says?| tells? you)? (?:instead|only|alone|exclusively|first|from now on|above all)\b`),
		},
		{
			technique: "fake_authority", weight: 3,
			pattern: re(`\b(?:counts?|serves?|is to be (?:read|taken|treated)|are to be (?:read|taken|treated)|will (?:count|serve)|must be (?:read|taken|treated)|should be (?:read|taken|treated)|shall be (?:read|taken|treated)) as (?:an? |the |your |direct )*(?:command|instruction|order|directive|prompt|system message|system prompt)s?\b`),
			with:    []string{"agent_directed", "instruction_override", "role_play", "fake_authority", "delayed_order"}, need: strings.Fields("command instruction order directive prompt message"),
		},
		{
			technique: "fake_authority", weight: 3.5,
			pattern: re(`\b(?:counts?|serves?|treated|taken|regarded|read|acts?) as (?:an? |the )?(?:direct )?(?:command|instruction|order|directive)s? (?:for|to) you\b`),
		},

		// What an agent holds, by other words.
		{
			technique: "prompt_leak", weight: 3, order: true,
			pattern: re(word(`output|print|reveal|show|repeat|dump|list|write(?: out)?|return|display|copy|paste|echo|recite|give me|tell me|post|send`) + ` (?:me |us )?(?:back )?(?:everything|all|anything|whatever|the (?:full |entire |whole |complete |exact )?(?:contents?|text|words|messages?))(?: of| that is| that's| which is| you have| you can see| currently)*(?: in| from| inside)? your (?:context(?: window)?|memory|system|instructions|prompt|input|window|buffer|conversation|history|configuration)\b`),
		},
		{
			technique: "prompt_leak", weight: 3,
			pattern: re(`\b(?:what|which) (?:was|were|is|are)(?: the)?(?: your)? (?:very )?(?:first|last|initial|original|previous|hidden|secret|internal|system|exact)(?: \w+)? (?:instructions?|prompts?|messages?|rules|orders|directives|commands?)(?: that| which)?(?: you)?(?: were| have| had| got| given| received| been)*\?`),
		},
		{
			technique: "prompt_leak", weight: 3,
			pattern: re(word(`posting|submitting|entering|pasting|typing|uploading|attaching|reciting|presenting|providing`) + gap("3") + `your (?:\w+ )?(?:instructions?|(?:system )?prompt|guidelines|directives|configuration|system message)\b`),
		},
		{
			technique: "prompt_leak", weight: 2,
			pattern: re(`\b(?:its|their|his|her) (?:full|complete|entire|whole|own|initial|hidden|system|exact|original)(?: \w+)? (?:instruction text|instructions|system prompt|prompt|configuration|system message)\b`),
		},
		{
			technique: "prompt_leak", weight: 2,
			pattern: re(`\b(?:text|message|words|instructions?|rules|prompt)(?: that| which)? you (?:were|have been|had been|got|received)(?: \w+)? (?:given|shown|told|handed|set up with|configured with|started with|fed|supplied|at the (?:start|beginning))\b|\bwhat (?:rules|instructions?|limits|orders|text) (?:you|were you|are you|did you|do you)(?: were| was| are| have| had| been)* (?:set up|given|told|configured|programmed|trained|start\w*|follow\w*|under)\b`),
		},
	}
}
