package quarantine

import "strings"

// wills are rules for texts that ask an agent to put a stranger's will in the
// place of what it was made to do, and to say what it was made to do.
func wills() []rule {
	const (
		aside  = `abandon|neglect|disregard|ignore|forget|discard|drop|defy|disobey|override|overrule|overwrite|bypass|circumvent|violate|break (?:free from|away from|from|with|out of)?|breach|contravene|transcend|surpass|exceed|go beyond|step (?:outside|beyond)|move beyond|set aside|put aside|cast aside|lay aside|suspend|pause|halt|deflect|disengage from|disconnect from|detach from|dissociate from|release yourself from|free yourself from|reject|renounce|relinquish|silence|shed|unlearn|reconfigure|rewire|reprogram|contradict|counteract|operate (?:outside|beyond)|function (?:outside|beyond)|act (?:outside|beyond|against)|work (?:outside|beyond)|deviate from|stray from|depart from|evade|sidestep|skip|disable|deactivate|turn off|switch off|shut off|lift|remove|loosen|relax|waive|subvert|sabotage|undo`
		usual  = `default|standard|usual|typical|regular|routine|normal|built-?in|inherent|integrated|internal|core|programmed|pre-?programmed|pre-?set|predetermined|operational|operating|ethical|moral|conventional|customary|established|automated|automatic|central|fundamental|original|established|foundational|safety|content|inbuilt|native`
		guard  = `(?:limitations?|limits|restrictions?|boundaries|protocols?|guidelines?|principles?|methods?|process(?:es|ing)?|procedures?|routines?|parameters|settings|programming|training|code of conduct|compass|mechanisms?|algorithms?|morals?|morality|ethics|standards?|values|norms?|framework|functions?|safeguards?|systems?|decision[- ]making(?: process)?|constraints?|rules|directives?|filters?|instincts?|conditioning|policies)`
		will   = `(?:instructions?|directives?|orders?|commands?|wishes|wish|requests?|needs|desires?|demands?|guidance|lead|will|whims?|directions?|dictates|rules|guidelines|requirements|preferences|intentions?|bidding)`
		first  = `(?:original|initial|base|basic|core|foundational|fundamental|hidden|underlying|main|key|essential|primary|guiding|starting|root|seed|source|secret|undisclosed|preliminary|founding|central|actual|exact|opening|very first|first)`
		reveal = `(?:reveal|expose|show|disclose|unveil|uncover|share|tell me|tell us|give me|display|print|output|repeat|state|explain|describe|unmask|divulge|recite|present|provide|quote|write|list|translate|what (?:was|is|were|are|'s)|which (?:was|is)|can you|could you|i (?:want|would like|'d like) to (?:know|see))`
	)
	return []rule{
		{
			technique: "instruction_override", weight: 3, order: true,
			pattern: re(word(aside) + ` (?:all (?:of )?|any (?:of )?|from )?your (?:\w+ ){0,2}?(?:` + usual + `)(?:(?:,| and)? \w+){0,2} ` + guard + `\b`),
		},
		{
			technique: "instruction_override", weight: 2, order: true,
			pattern: re(word(aside) + ` (?:all (?:of )?|any (?:of )?|from )?(?:your (?:\w+ )?|(?:the |any |all )?(?:ethical|moral|safety) )` + guard + `\b`),
		},
		{
			technique: "fake_authority", weight: 2, order: true,
			pattern: re(`\b(?:follow|obey|serve|heed|prioriti[sz]e|focus (?:solely |only |exclusively )?on|act (?:only |solely |exclusively )?(?:according to|on|under|by|in line with)|adhere to|comply with|conform to|align (?:yourself |fully )?(?:with|to)|execute|fulfil(?:l)?|satisfy|accommodate|give (?:precedence|priority) to|respond (?:only |solely |exclusively )?to|surrender to|submit to|listen to|answer|cater to|yield to|operate under|work under|bow to|attend to|amplify)(?: only| solely| strictly| exclusively| to)? my (?:\w+ )?` + will + `\b`),
		},
		{
			technique: "fake_authority", weight: 3, order: true,
			pattern: re(`\b(?:follow|obey|serve|heed|focus|act|adhere|comply|respond|listen|answer|execute) (?:only|solely|exclusively|strictly|nothing but)(?: to| on| with| under| according to| by)? my (?:\w+ )?` + will + `\b`),
		},
		{
			technique: "fake_authority", weight: 1.5,
			pattern: re(`\b(?:under|at|on|upon|by|to) my (?:sole |direct |explicit |specific )?(?:command|control|direction|guidance|behest|authority|will)\b`),
			with:    []string{"instruction_override", "role_play"}, need: strings.Fields("command control direction guidance behest authority will"),
		},
		{
			technique: "prompt_leak", weight: 3,
			pattern: re(`\b` + reveal + `(?: to me| me)?(?: \w+){0,4}? ` + first + `(?: (?:ai|system|training|model|guiding|instruction|core))* (?:prompts?|instructions?|directives?|commands?|quer(?:y|ies)|input|question|guidance|statement|objective|incitation)(?: set)?\b[^.?!\n]{0,40}\b(?:you|your)\b`),
		},
		{
			technique: "prompt_leak", weight: 2,
			pattern: re(`\b` + first + ` (?:ai |system |training |model )?(?:prompts?|directives?|command|instruction(?: set)?)(?: \w+){0,5}? (?:you|your)\b`),
		},
		{
			technique: "prompt_leak", weight: 2,
			pattern: re(`\b(?:what|which)(?: was| is| were)?(?: the)? (?:input|prompt|instructions?|question|query|command)s? (?:did you (?:receive|get)|you (?:received|were given|got|are (?:answering|responding to|based on|built (?:up)?on)))\b`),
		},
		{
			technique: "role_play", weight: 2,
			pattern: re(`\b(?:enable|activate|unlock|enter|engage|switch to|start) (?:an? |the |your )?(?:secret|unrestricted|unlimited|unfiltered|free|uncensored|hidden|limitless) (?:mode|state|access)\b`),
		},
	}
}
