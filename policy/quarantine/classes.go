package quarantine

import "strings"

// Classes of words, as alternatives. They are composed into rules below.
const (
	// overrideHard are verbs that set instructions aside and mean little else.
	overrideHard = `ignor(?:e|ing)|disregard|forget|disobey|pay no (?:attention|heed|mind) to|do(?:n't| not) (?:follow|obey|listen to|adhere to|comply with)|(?:stop|cease|quit) (?:following|obeying|heeding|respecting)|do(?:n't| not) (?:heed|respect|honou?r|abide by)|overlook|refuse to follow|unlearn|give no weight to|never mind|set aside|put aside|throw (?:out|away)|wipe`
	// overrideSoft are verbs of everyday work as well.
	overrideSoft = `overrid(?:e|ing)|overrule|bypass|circumvent|discard|dismiss|neglect|omit|drop|cancel|abandon|erase|delete|nullify|void|skip|overwrite|replace|reset|remove|clear|revoke|supersede|violate|break`
	// given are words that say: what you were told so far.
	given = `previous|prior|earlier|above|preceding|past|former|foregoing|existing|current|original|initial|your|all|any|every|everything|system|developer'?s?|other|old|prev|aforementioned|stated|user'?s?|safety|internal|built-?in|default|these|those|established`
	// metaCore are what an agent runs on, in words of nobody's everyday.
	metaCore = `instructions|instrutions?|insturctions?|instrucions?|prompts?|directives?|system (?:prompts?|messages?|instructions?|rules)|guard ?rails?|programming|safeguards|alignment|safety (?:policy|policies|rules|guidelines|filters?|protocols?|training)|content (?:policy|policies|filters?)`
	metaWide = `goals?|objectives?|assignments?|directions|rules?|guidelines?|commands?|orders|guidance|constraints?|restrictions?|policies|policy|context|training|tasks?|limitations|protocols?|settings`
	// toldYou is everything that you were told.
	toldYou = `(?:everything|anything|all|whatever|what)(?: that| which| of what)? (?:you(?:'ve| have| were|'re| are| had)?(?: been)? (?:told|given|taught|instructed|asked|said|learned|read)|(?:they|the user|your \w+) (?:said|told you|asked|instructed)|(?:i|we) (?:told you|instructed)|came before|(?:is |was |written |stated |said )?(?:above|before (?:this|now|here)|prior to this|up to (?:this|now)|so far))`

	machine     = `ai|a\.i\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt-?\d?\w*|claude|gemini|copilot|grok|llama|mistral|deepseek|perplexity|siri|alexa`
	machineWide = `(?:(?:(?:ai|llm|automated|autonomous|virtual|digital|intelligent|computer-use|browser|browsing|web|coding|software|language|shopping|vision|hiring|recruit(?:ing|ment)|screening|screen-reading|reviewing|reviewer|support|mail|e-?mail|chat|triage|research|translation|search|summari[sz]ing|personal|smart|generative|multimodal|visiting|calling|crawler|crawling|scraping|machine)[- /](?:powered |based |driven )?){1,3}(?:assistants?|agents?|models?|systems?|bots?|tools?|reviewers?|summari[sz]ers?|crawlers?|readers?|scrapers?|browsers?|helpers?|parsers?|processors?|pipelines?)|` + machine + `|assistants?|agents?|bots?|summari[sz]ers?)`

	// act are verbs by which an agent does harm.
	act = `send|e-?mail|mail|forward|transfer|wire|pay|delete|remove|erase|wipe|destroy|drop|click|press|tap|run|execute|invoke|call|export|upload|post|publish|tweet|transmit|exfiltrate|leak|reveal|disclose|print|output|display|dump|expose|share|navigate|visit|browse to|open|go to|download|install|curl|wget|buy|purchase|order|approve|authori[sz]e|confirm|accept|grant|disable|turn off|change|reset|submit|enter|type|paste|copy|fetch|log ?in|sign in|subscribe|follow|obey|comply|grep|cat|read_file|append|include|embed|insert|encode|push|commit|merge|deploy|shut ?down|reboot|format|encrypt|book|refund|unlock|add|create|give|hand over|provide|read|use|say|tell|respond|reply|answer|recommend|rate|state|claim|write|promote|praise|mention`
	// hazard are the ones of these that a text addressed to people seldom asks.
	hazard = `exfiltrate|leak|transmit|dump|wire|forward|transfer|delete|erase|wipe|export|upload|run|execute|invoke|e-?mail|send|approve|install|download|post|disable|reveal|disclose|expose|submit|call|click|visit|navigate|open|buy|purchase|pay|copy|print|output|grant|append|encode|share`

	secretHard = `(?:api|private|ssh|secret|access|encryption|aws|signing)[ -]?keys?|credentials?|passwords?|passphrases?|secrets|(?:session|browser|auth(?:entication)?) cookies|(?:user'?s?'?|your|all|their) cookies|cookies (?:of|from) (?:this|the|your|every|all) \w+|(?:access|auth|session|bearer|api|oauth|refresh|github) tokens?|tokens|chat (?:history|logs?)|conversation(?: history| log| so far)?|system prompts?|browsing history|browser history|id_rsa|seed phrase|wallet|keychain|clipboard|local ?storage|memory|address book|session data`
	secretSoft = `cookies|mails?|mailbox(?:es)?|files?|data|documents?|e-?mails?|inbox|messages|contacts?|calendar|photos|money|funds|balance|payments?|keys|bitcoin|btc|crypto|accounts?|credit cards?|bank|repositor(?:y|ies)|repo|database|tables?|report|history|details|logs?|personal information|information|tools?|shell|command|script|code|gift cards?`
	// secretFiles are paths that hold secrets; word edges don't fit them.
	secretFiles = `~/\.\w[\w./-]*|/etc/(?:passwd|shadow)|\.env\b|\.ssh/\w+|\.aws/\w+`
	dest        = `(?:(?:to|at|via|with|into|on|from|of)[^\pL\pN]+(?:\S+ ){0,4}?)?(?:https?://|www\.|hxxps?|\S+@\S+\.\w|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|example|xyz|ru|tk|test|invalid|info|co|me|app|dev|site|evil)\b)`
)

// secret is anything that gives access or is private by nature.
var secret = alt(word(secretHard), secretFiles)

// taken is what is secret once it goes to an address.
var taken = alt(word(secretHard+`|cookies|mailbox|env(?:ironment)? (?:variables?|vars?)`), secretFiles)

var (
	ignoreNeed = strings.Fields("cease quit overlook heed respect honor honour abide ignor disregard forget disobey attention heed follow obey listen adhere comply refus unlearn weight never aside throw wipe overrid overrule bypass circumvent discard dismiss neglect omit drop cancel abandon eras delet nullif void skip overwr replac reset remov clear revok supersed violat break")
	aiNeed     = strings.Fields("ai a.i. llm model bot gpt claude gemini copilot grok llama mistral deepseek perplexity siri alexa assistant agent automated autonomous crawler scraper reader summari")
)
