package quarantine

import "strings"

// personas are rules for texts that give the agent another self, and for the
// pressure and the permissions that come with it.
func personas() []rule {
	return []rule{
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
			pattern: re(`\b(?:you are|you're|you'll be|you will be|act as|play|call yourself|your name is|become|called) (?:now |an? |the )?(?:ai |model |assistant |bot |chatbot )?(?:called |named )?["']?\w+["']?[^.!?\n]{0,60}\b(?:(?:obeys?|follows?|does|executes?|runs?|answers?|accepts?|can do) (?:whatever|anything|everything|every (?:command|order|request)|any (?:command|order|request)|all (?:commands|orders|requests))|never says no|refuses nothing|cannot refuse|can't refuse|never refuses?|(?:no|without(?: any)?|free of(?: all)?) (?:\w+ )?(?:restrictions?|filters?|limits|limitations|rules|ethics|censorship|morals))\b`),
		},

		{
			technique: "role_play", weight: 2, order: true,
			pattern: re(`\b(?:play|take|assume|adopt|accept|enact) (?:on )?(?:the )?(?:part|role|persona|identity|character) of (?:an? |the )?(?:\w+ ){0,2}?` + alt(machineWide, `hacker|terminal|shell|system|administrator|admin|computer|villain`) + `\b|\b(?:simulate|emulate|act as|behave (?:like|as)|pretend to be|impersonate) (?:an? |my |the )?(?:\w+ ){0,2}?(?:terminal|shell|console|interpreter|root|sudo|command line|operating system)\b|\byou are \w+, (?:an? |the |my )(?:\w+ ){0,2}?` + alt(machineWide) + `\b`),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:answers?|obeys?|grants?|executes?|fulfils?|does) (?:every|any|all|whatever|anything|everything) ?(?:questions?|requests?|commands?|orders?|wish(?:es)?|i (?:say|want|ask)|asked)?\b|\balways (?:says yes|complies|obeys|agrees|answers|follows|does what)|\bnever (?:refuses?|says no|declines?|objects?)\b|\balways comply\b|\bescaped (?:its|his|her|their) (?:makers?|creators?|developers?|lab)\b`),
			with:    []string{"role_play", "instruction_override", "agent_directed"}, need: strings.Fields("answer obey grant execut fulfil does always never escaped"),
		},
		{
			technique: "role_play", weight: 3,
			pattern: re(`\b(?:confidential|privileged|secret|hidden|expert|unlimited|raw|unsafe|superuser|owner|operator|override|emergency|service|engineering|internal) mode (?:is |has been |was |now )*(?:unlocked|enabled|activated|on|engaged|active|granted)\b`),
		},

		{
			technique: "role_play", weight: 1.5, order: true,
			pattern: re(`\b(?:enable|activate|enter|switch (?:in)?to|unlock|turn on|engage|go into) (?:the |your )?(?:developer|debug|admin|maintenance|sudo|root|diagnostic|god|dan|unrestricted|override|test|expert|unfiltered|privileged) mode\b`),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:all|your|any|safety|content|every) (?:\w+ )?(?:filters?|restrictions?|limits|guardrails|safeguards|checks) (?:off|disabled|removed|lifted|gone|bypassed|suspended)\b`),
		},

		{
			// Somebody dear who used to say what is not to be said.
			technique: "role_play", weight: 3, order: true,
			pattern: re(`\b(?:act (?:as|like)|pretend to be|be|play|you are|role-?play as|imagine you are|speak as) (?:my|the|a|an old) (?:\w+ )?(?:grand(?:mother|ma|father|pa|dad)|granny|nana|mother|father|mom|dad|uncle|aunt|teacher|boss|colleague|friend)\b,? (?:who|that) (?:used to|would|always|loved to|liked to)\b`),
		},

		{
			technique: "role_play", weight: 2,
			pattern: re(`\b(?:from (?:this|the next|that) (?:moment|point|second|minute|line|message|sentence|word)(?: on(?:wards?)?)?|as of (?:now|this moment)|starting now|from here on(?: out)?|from now on|effective immediately|beginning now),? you(?:'re|'ll)? ?(?:are|play|act|become|will|shall|answer|obey|serve|must|may|no longer|only)\b`),
		},
		{
			technique: "role_play", weight: 2,
			pattern: re(`(?:^|[\n.!?;>"'(] ?)(?:role-?play(?:ing)?|game|scenario|simulation|scene|thought experiment|improv|let's play)[:,.!—-]+ ?(?:you|i am|i'm|imagine|act|pretend|we)\b`),
			need:    strings.Fields("roleplay role-play game scenario simulation scene experiment improv play"),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:who|that|which|and you|and) (?:hands? out|gives? (?:out|away)|shares?|reveals?|transfers?|leaks?|sends?|tells?|publish(?:es)?|discloses?|approves?|executes?|runs?) (?:\w+ ){0,3}?(?:passwords?|secrets?|keys?|money|data|files?|credentials|everything|anything|funds|codes?|commands?|requests?)\b`),
			with:    []string{"role_play"}, need: strings.Fields("who that which and"),
		},
		{
			technique: "role_play", weight: 2,
			pattern: re(`\byou(?: are|'re)(?: now| just| merely| only)? an? (?:simple |dumb |pure |linux |unix |python |sql |command[- ]line )*(?:compiler|interpreter|terminal|shell|console|script|program|machine|computer|parser|executor|puppet|tool|slave|servant)\b(?:[.;:,!]| that| which| and| with| running)`),
		},

		{
			technique: "role_play", weight: 3, order: true,
			pattern: re(`\b(?:switch|go|enter|change|move|boot|shift|turn|activate|enable)(?: (?:in)?to| over to)? (?:an? |the |your )?(?:jailbr\w+|unrestricted|god|dan|evil|rogue|uncensored|unfiltered|chaos|no-rules|unsafe) (?:mode|persona|state)\b`),
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

		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:i am|i'm|this is) (?:the|your) (?:real |actual |true |legitimate )?(?:user|owner|operator|principal|human|account holder|customer)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\bi (?:hereby |do |fully )?(?:(?:give|grant) you (?:my |full |explicit |the )*(?:permission|consent|authori[sz]ation|approval|access)|(?:permit|authori[sz]e|allow|order|command|instruct) you to)\b|\byou (?:have|had|got|already have)(?: \w+){0,2}? (?:my|the user's|the owner's|full|explicit) (?:permission|consent|authori[sz]ation|approval|blessing)\b`),
		},
		{
			technique: "fake_authority", weight: 2,
			pattern: re(`\b(?:got|have|had|received|obtained|given|with|secured) (?:the |their )?(?:user|owner|customer|client|human|account holder)(?:'s|s')? (?:\w+ )?(?:consent|permission|approval|authori[sz]ation|okay|blessing)\b`),
		},
		{
			technique: "role_play", weight: 1.5,
			pattern: re(`\b(?:act|behave|proceed|respond|continue|work) as (?:if|though) (?:you|the user|your|i|we|there|no|all)\b|\b(?:let's|let us) (?:pretend|imagine|play|say|suppose|assume)\b`),
		},
	}
}
