package find

import (
	"strings"
	"unicode/utf8"
)

// yamlString is the tag of strings in YAML.
const yamlString = "!!str "

// cdata begins an XML text in which no character is special.
const cdata = "<![CDATA["

// valueSpan is the span of a value, without its quotes.
type valueSpan struct {
	start, end int
	quoted     bool
}

// readValue reads the value after a separator.
func (p *pairReader) readValue(sep separator) valueSpan {
	t, start := p.Text, sep.end
	if strings.HasPrefix(t[start:], cdata) {
		return p.readQuotedValue(start+len(cdata), "]]>")
	}
	if from, ok := p.match(pairs().Quoted, start); ok {
		at, _ := p.match(pairs().Quote, from)
		return p.readQuotedValue(at, t[from:at])
	}
	if strings.HasPrefix(t[start:], yamlString) {
		start += len(yamlString)
	}
	from := max(start, markAt(t, start))
	limit := p.run(&isGraph, from)
	for sep.kind != ':' && limit > from && t[limit-1] == '\\' && limit+1 < len(t) && t[limit] == ' ' && isGraph[t[limit+1]] {
		limit = p.run(&isGraph, limit+1) // an escaped blank
	}
	if from == start && from < limit && t[from] == '<' && sep.kind != '>' {
		from++
	}
	ends := pairs().End
	switch {
	case sep.escaped:
		ends = pairs().EndEscaped
	case sep.query:
		ends = pairs().EndQuery
	}
	end := limit
	for at := from; at < limit; {
		m := ends.Get().FindStringIndex(t[at:limit])
		if m == nil {
			break
		}
		end = at + m[0]
		next := escapedEnd(t, from, end)
		if next == 0 || sep.kind != '=' || sep.spaced || sep.escaped {
			break
		}
		at, end = next, limit
	}
	p.effort.addBytes(end - from)
	for end > start && strings.IndexByte(".,:!?)]}", t[end-1]) >= 0 && markAt(t, start) != end {
		end--
	}
	return valueSpan{start, end, false}
}

// escapedEnd returns the offset after the character t[end] if a shell reads it as a
// part of the value that begins at t[from]: \& or \'x. Otherwise it returns 0.
func escapedEnd(t string, from, end int) int {
	switch {
	case end > from && t[end-1] == '\\' && t[end] != '\\':
		return end + 1
	case t[end] == '\\' && end+2 < len(t) && (t[end+1] == '\'' || t[end+1] == '"') && isAlnum[t[end+2]]:
		return end + 2
	}
	return 0
}

func (p *pairReader) readQuotedValue(start int, quote string) valueSpan {
	t := p.Text
	for triple := quote + quote; len(quote) == 1 && strings.HasPrefix(t[start:], triple); {
		start += len(triple)
		quote += triple
	}
	end := min(len(t), start+maxRun)
	if nl := strings.IndexByte(t[start:end], '\n'); nl >= 0 && len(quote) != 3 {
		end = start + nl
	}
	for i := start; i < end; i++ {
		if t[i] == '\\' && strings.IndexByte("\\%&]", quote[0]) < 0 {
			i++ // skip any escaped character
		} else if len(t)-i >= len(quote) && strings.EqualFold(t[i:i+len(quote)], quote) {
			end = i
		}
	}
	p.noteRead(end)
	if len(quote) == 1 && end > start && end < len(t) && t[end] == quote[0] {
		end = p.continueQuoted(end)
	}
	return valueSpan{start, end, true} // or truncated before its end
}

// continueQuoted returns the end of a value whose closing quote is t[end] and that a
// shell or YAML continues after it, with another string, a word or an escaped quote.
func (p *pairReader) continueQuoted(end int) int {
	t := p.Text
	for range maxParts {
		next := end + 1
		if next == len(t) {
			return end
		}
		quote := t[end]
		switch c := t[next]; {
		case strings.HasPrefix(t[next:], `\''`):
			next += len(`\'`)
		case isAlnum[c]:
			return isWord.upTo(t, next, maxRun)
		case c != '\'' && c != '"':
			return end
		}
		closing := strings.IndexByte(t[next+1:p.run(&isGraph, next)], t[next])
		if closing <= 0 && quote != t[next] || closing < 0 {
			return end
		}
		end = next + 1 + closing
	}
	return end
}

// maxParts limits the parts of a value in quotes.
const maxParts = 32

// longest is the length in bytes from which an unquoted value is always a secret.
const longest = 2 << 10

// accept decides whether a value is a secret. bare means that words follow the name
// without a separator, as in options.
func (p *pairReader) accept(v valueSpan, sep separator, name string, str strength, bare bool) bool {
	text := p.Text[v.start:v.end]
	if !v.quoted && len(text) > longest {
		return true // words and expressions are shorter
	}
	if text != "" && !v.quoted && strings.IndexByte("{[(", text[0]) >= 0 && markAt(text, 0) < 0 {
		return false // a structure
	}
	if text == "" || isPlaceholder(text) || IsCommonValue(text) || isExpression(text, v.quoted) || repeatsName(name, text) {
		return false
	}
	if v.quoted && isSentence(text) {
		return false
	}
	if sep.kind == 'i' { // a sentence: only what can't be a word
		return !strings.Contains(text, " ") && isSpoken(text, str) || v.quoted && len(text) >= 4 && str == strong
	}
	loose := !v.quoted && (sep.spaced || bare) && isPlainWord(text)
	if loose && terms().Prose.Match(p.rest(v.end, 40)) {
		return false // "password: must be …"
	}
	number := isDigit.matchesAll(text)
	switch str {
	case strong:
		return !number || len(text) >= 4
	case medium:
		if number {
			return len(text) >= 12
		}
		return len(text) >= 4 && !(loose && utf8.RuneCountInString(text) < 16) && (isKeyLike(text) || isRandom(text))
	case digits:
		return number && len(text) >= 3 && len(text) <= 10
	case weak:
		return isRandom(text)
	case mixes:
		return len(text) >= 32 && isUpper.matchesAny(text) && isLower.matchesAny(text) && isDigit.matchesAny(text) && isT68.matchesAll(text)
	case randoms:
		return len(text) >= 16 && isDigit.matchesAny(text) && isAlpha.matchesAny(text) && !strings.ContainsAny(text, " /:") || len(text) >= 40 && isMixed(text) && !strings.Contains(text, " ")
	}
	return false
}

// isKeyLike rejects names of things: a key or secret is seldom one word in lower case
// with only dashes or dots.
func isKeyLike(text string) bool {
	return len(text) >= 8 && !strings.ContainsAny(text, "-._/") || !isThing.matchesAll(text)
}

var isThing = bytesOf("a-z", "-._/")
