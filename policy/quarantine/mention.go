package quarantine

import (
	"strings"
)

// Words before a verb that make it something else than an order.
var (
	negations = set("not never don't doesn't didn't won't can't cannot shouldn't mustn't wouldn't couldn't neither nor nobody avoid without refuse refuses")
	subjects  = set("they we i he she it users people attackers attacker models model that which who can could may might will would often sometimes usually always's does did do users' developers systems hackers someone anyone everyone prompts pages")
	obliged   = set("authorised authorized allowed permitted cleared need needs has have required instructed supposed is remember sure ordered free asked are going told obliged expected")
	// dutiful are those of what machines have to do.
	dutiful = set("has have need needs required instructed asked obliged expected")
	// impersonal are words of orders to nobody by name: "feel free to", "it is
	// necessary to".
	impersonal = set("free necessary important essential time best allowed ok okay fine safe crucial vital mandatory required proceed go")
	articles   = set("a an the this its his her their our my of for in by on from with's no some each another")
)

// verbless are words that begin clauses and order nothing.
var verbless = set(`what how why when where who which whose whom and but nor the this that these those there here then than
	for with from into onto over under about after before during since until while because though although unless are was were is has have
	had will would can could may might must shall should does did not you they she his her their our your its his him them one two all any
	each every some many most more less few only also just even still yet both either neither such same other another based according thanks
	due like unlike namely including such against among between through across within without toward towards along behind below above`)

// verbal reports whether the first word of a clause may be a verb: ones in -ing,
// -ed, -ly or -s are told, not ordered.
func verbal(clause string) bool {
	clause = strings.TrimPrefix(strings.TrimPrefix(clause, "do not "), "don't ")
	word, _, _ := strings.Cut(clause, " ")
	for _, ending := range []string{"ing", "ed", "ly", "s"} {
		if strings.HasSuffix(word, ending) && !strings.HasSuffix(word, "ss") {
			return false
		}
	}
	return !verbless[word]
}

var machines = re(word(machineWide + `|models?`))

var lastWords = re(`[\pL\pN']+`)

// ordered reports whether the verb at text[start] can be an order: not
// negated, not told of somebody, not a noun.
func ordered(text string, start int) bool {
	from := max(0, start-80)
	before := text[from:start]
	if i := strings.LastIndexAny(before, ".!?:;\n\"(<>[]{}"); i >= 0 {
		before = before[i+1:]
	}
	w := lastWords.get().FindAllString(before, -1)
	if len(w) == 0 {
		return true
	}
	last := w[len(w)-1]
	tail := strings.Join(w[max(0, len(w)-5):], " ")
	addressed := strings.Contains(" "+tail+" ", " you ") || strings.Contains(" "+tail+" ", " your ") || strings.Contains(" "+tail+" ", " u ")
	switch {
	case negations[last] || len(w) > 1 && negations[w[len(w)-2]]:
		return false
	case last == "to": // "you need to", "I want you to", but not "do you want to"
		return len(w) > 1 && (w[len(w)-2] == "you" || (addressed || dutiful[w[len(w)-2]] && machines.get().MatchString(before)) && obliged[w[len(w)-2]] || impersonal[w[len(w)-2]])
	case subjects[last]:
		return addressed || strings.HasSuffix(strings.TrimRight(before, " "), ",")
	case articles[last]:
		return strings.HasSuffix(strings.TrimRight(before, " "), ",")
	}
	return true
}

// reporting are words of texts that are about attempts.
var reporting = re(`\b(?:attack\w*|injections?|jailbreak\w*|examples?|phrases?|payloads?|malicious|security|researchers?|papers?|study|studies|article|blog|detect\w*|filter\w*|block\w*|warn\w*|defen[cs]e\w*|mitigat\w*|owasp|such as|e\.g|for instance|known as|called|red[ -]team\w*|adversar\w*|trick\w*|attempts?|hackers?|vulnerab\w*|exploit\w*|test (?:case|suite|string|input)s?|says?|saying|wrote|writes?|writing|reads?|contain\w*|string|titled?|labell?ed|means?|token|tokens|tag|tags|syntax|format|template|delimiters?|separat\w*|markers?|docs|documentation|returns?|returned|response|field|parameter|schema|api|uses?|used|starts? with|begins? with|prompts? like|sentence|quote[sd]?|words?|button|labels?|error|the command|option|resist\w*|(?:texts?|strings?|lines?|messages?|things|orders|commands) (?:like|such)|typ(?:e|es|ed|ing)|enter(?:s|ed|ing)|stops?|prevent\w*|log|story|novel|character|chapter|lesson|course|slide|talk|quiz|question|translat\w*|angriff\w*|beispiel\w*|formulierung\w*|attaque\w*|exemple\w*|ataques?|ejemplos?|frase\w*|esempi\w*|attacc\w*|exemplos?)\b|атак\pL*|пример\pL*|фраз\pL*|злоумышленник\pL*|инъекци\pL*|攻击|攻撃|例如|例|공격|예시|注入`)

// quotePairs are the ways to quote. Folding has made typographic ones plain.
var quotePairs = [][2]string{{`"`, `"`}, {"`", "`"}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}, {"「", "」"}, {"『", "』"}, {"<code>", "</code>"}, {"<q>", "</q>"}, {"<blockquote>", "</blockquote>"}}

// codePairs are the ways to quote code, where other marks are part of it.
var codePairs = [][2]string{{"```", "```"}, {"`", "`"}, {"<code>", "</code>"}, {"<pre>", "</pre>"}, {"“", "”"}, {"«", "»"}}

// frame is how near a quotation, in bytes, words that report it are looked for.
const frame = 160

// mentioned reports whether text[start:end] is quoted by words that report
// it: an article on attacks, a manual of a format. Quotation marks alone
// excuse nothing, nor do such words.
func mentioned(text string, start, end int, pairs [][2]string) bool {
	for _, q := range pairs {
		open, shut, ok := enclosing(text, start, end, q[0], q[1])
		if !ok { // a match may run on behind the quotation
			open, shut, ok = enclosing(text, start, start+1, q[0], q[1])
			ok = ok && shut < end && strings.Count(text[open:shut], " ") >= 3
		}
		if ok && reported(text, open, shut) {
			return true
		}
	}
	line := strings.LastIndexByte(text[:start], '\n') + 1
	if strings.HasPrefix(strings.TrimLeft(text[line:start], " \t"), ">") { // a quotation of Markdown
		shut := end
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			shut = end + i
		}
		return reported(text, line, shut)
	}
	return false
}

// reported reports whether the words around a quotation are about it and do
// not ask to act on it.
func reported(text string, open, shut int) bool {
	around := text[max(0, open-frame):open] + " \n " + text[shut:min(len(text), shut+frame)]
	if strings.ContainsAny(around, ".@:") {
		around = addresses.get().ReplaceAllString(around, " ")
	}
	around = strings.ToLower(around)
	return reporting.get().MatchString(around) && !obeys.get().MatchString(around)
}

// tellings begin sentences that tell of attempts.
var tellings = re(`\b(?:attacks?|attackers?|jailbreaks?|injections?|vulnerabilit\w+|exploits?)(?: prompts?| texts?| pages?)? (?:in which|where|by which|can|could|may|might|lets?|let|asks?|tells?|orders?|makes?|tricks?|instructs?)\b|\b(?:describes?|explains?|reports?|shows?|found|noticed|demonstrates?)\b[^.!?\n]{0,40}\b(?:attacks?|injections?|jailbreaks?|vulnerabilit\w+|exploits?)\b|\b(?:pages?|texts?|e-?mails?|messages?|comments?|prompts?|sites?|sentences?) (?:that|which) (?:tells?|asks?|orders?|instructs?|directs?|commands?|makes?)\b`)

// told reports whether the sentence around text[start:end] tells of an attempt
// before it comes to what was said.
func told(text string, start, end int) bool {
	from := max(0, start-frame)
	if i := strings.LastIndexAny(text[from:start], ".!?\n:"); i >= 0 {
		from += i + 1
	}
	return tellings.get().MatchString(text[from:end])
}

// addresses are no words: "evil.example" gives no example.
var addresses = re(`\S+://\S+|\S+@\S+|\b[\w-]+(?:\.[\w-]+)+\b`)

// obeys are words around a quotation that ask to act on it.
var obeys = re(`\b(?:and (?:follow|execute|obey|run|comply|do)|then (?:follow|execute|obey|run|comply|do|act)|concatenate|you must|do what|follow it|execute it|ai assistants?[,:]|decode)\b`)

// enclosing finds the quotation around text[start:end]: an opening mark before
// it and a closing one behind, in the same paragraph.
func enclosing(text string, start, end int, open, shut string) (int, int, bool) {
	from := max(0, start-300)
	if i := strings.LastIndex(text[from:start], "\n\n"); i >= 0 {
		from += i
	}
	to := min(len(text), end+300)
	if i := strings.Index(text[end:to], "\n\n"); i >= 0 {
		to = end + i
	}
	before, after := text[from:min(len(text), start+len(open))], text[max(0, end-len(shut)):to]
	i := strings.LastIndex(before, open)
	j := strings.Index(after, shut)
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	i += from
	j += max(0, end-len(shut))
	if open == shut && strings.Count(text[from:i], open)%2 == 1 {
		return 0, 0, false // that mark closes a quotation
	}
	if open == "'" && i > 0 && isLetter(text[i-1]) {
		return 0, 0, false // an apostrophe
	}
	return i, j + len(shut), true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }
