package find

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// rule is a rule of rules/patterns.toml or rules/tokens.toml, which explain the
// fields.
type rule struct {
	Kind, Prefixes              string
	Keywords                    []string
	Before, Regex, Each, Unless *rulefile.Pattern
	Chars                       *charset
	Needs, Trim, Checks         string
	Min, Max                    int
	Word, Header, Quotes, Lines bool
	Across                      bool
}

// checks are the conditions that a rule can set for a secret.
var checks = map[string]func(string) bool{
	"real":       func(s string) bool { return !isPlaceholder(s) },
	"uncommon":   func(s string) bool { return !IsCommonValue(s) },
	"random":     isRandom,
	"mixed":      isMixed,
	"digit":      isDigit.matchesAny,
	"both-cases": func(s string) bool { return isUpper.matchesAny(s) && isLower.matchesAny(s) },
	"iban":       func(s string) bool { return accountLength(s) > 0 },
	"seed-phrase": func(s string) bool { // the words of a wallet include no function words, such as "the"
		return !slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })[:12], func(w string) bool { return terms().Joints[w] })
	},
	"uuid": func(s string) bool { return strings.Count(s, "-") == 4 },
	"two-parts": func(s string) bool {
		first, second, ok := strings.Cut(s, ".")
		return ok && len(first) >= 12 && len(second) >= 16
	},
	"basic": func(s string) bool { // base64 of user:password
		raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
		return err == nil && utf8.Valid(raw) && strings.Contains(string(raw), ":")
	},
	"spoken": func(s string) bool { return isSpoken(s, strong) },
	"private-key": func(s string) bool { // base64 of a private key in PEM
		head, err := base64.StdEncoding.DecodeString(s[:min(len(s), 64)/4*4])
		return err == nil && strings.Contains(string(head), "PRIVATE KEY")
	},
}

// isMixed rejects words: "sk-learn-pipelines-for-everyone" isn't a key.
func isMixed(body string) bool {
	return isDigit.matchesAny(body) || isUpper.matchesAny(body) && isLower.matchesAny(body)
}

// passesChecks reports whether a secret passes all checks in a list.
func passesChecks(secret, names string) bool {
	for name := range strings.FieldsSeq(names) {
		if !checks[name](secret) {
			return false
		}
	}
	return true
}

// tokens are the rules of rules/tokens.toml.
var tokens = sync.OnceValue(func() []*rule {
	var file struct{ Rules []*rule }
	rulefile.Read(files, "rules/tokens.toml", &file)
	for _, r := range file.Rules {
		r.Keywords = strings.Fields(r.Prefixes)
	}
	return file.Rules
})

// rules are those of rules/patterns.toml and rules/phrases.toml.
var rules = sync.OnceValue(func() []*rule {
	return append(readRules("rules/patterns.toml"), readRules("rules/phrases.toml")...)
})

func readRules(name string) []*rule {
	var file struct {
		Fragments map[string]string
		Rules     []*rule
	}
	rulefile.Read(files, name, &file)
	for _, r := range file.Rules {
		var keywords, quoted []string
		for _, k := range r.Keywords {
			keywords = append(keywords, expandClasses(k)...)
			quoted = append(quoted, regexp.QuoteMeta(k))
		}
		r.Keywords = keywords
		names := []string{"KEYWORD", "(?i:" + strings.Join(quoted, "|") + ")"}
		for name, fragment := range file.Fragments {
			names = append(names, name, rulefile.Join(fragment))
		}
		fragments := strings.NewReplacer(names...)
		set := func(p *rulefile.Pattern, begin, end string) {
			if p != nil {
				p.Source = begin + fragments.Replace(p.Source) + end
			}
		}
		set(r.Before, `(?:`, `)\z`)
		set(r.Regex, `\A(?:`, `)`)
		set(r.Each, "", "")
		set(r.Unless, "", "")
	}
	return file.Rules
}

// expandClasses expands a keyword with character classes: "a[bc]" is ab and ac.
func expandClasses(keyword string) []string {
	head, rest, ok := strings.Cut(keyword, "[")
	class, tail, closed := strings.Cut(rest, "]")
	if !ok || !closed {
		return []string{keyword}
	}
	var out []string
	in := bytesOf(class)
	for c := range len(in) {
		if in[c] {
			for _, t := range expandClasses(tail) {
				out = append(out, head+string(rune(c))+t)
			}
		}
	}
	return out
}

const (
	// ruleBefore and ruleReach are the bytes of a line that a rule sees.
	ruleBefore  = 300
	ruleReach   = 400
	headerReach = 8 << 10
	// acrossReach is the bytes of a text that a rule across lines sees.
	acrossReach = 512
)

// tryToken tries a token with a prefix, which is text[pos:after] in any case.
func (s *scanner) tryToken(r *rule, prefix string, pos, after int) {
	if s.Text[pos:after] != prefix || !s.canBegin(pos) {
		return
	}
	end := s.run(r.Chars, after)
	for end > after && !isAlnum[s.Text[end-1]] && s.Text[end-1] != '=' {
		end-- // the full stop or dash after a token belongs to the sentence
	}
	if n := end - after; n >= r.Min && (r.Max == 0 || n <= r.Max) && passesChecks(s.Text[after:end], r.Checks) {
		s.add(r.Kind, pos, end)
	}
}

// tryRule tries a rule at its keyword, which is text[pos:after].
func (s *scanner) tryRule(r *rule, pos, after int) {
	if r.Word && !s.canBegin(pos) {
		return
	}
	from, end, cut := pos, after, false
	switch {
	case r.Header:
		from, end = s.readHeader(r, pos, after)
	case r.Chars != nil:
		end = s.run(r.Chars, after)
	case r.Across:
		end = s.runeStart(min(len(s.Text), pos+acrossReach))
		s.noteRead(end)
	default:
		end = pos + len(s.rest(pos, ruleReach))
		cut = end-pos >= ruleReach-utf8.UTFMax
	}
	text := s.Text[from:end]
	if r.Needs != "" && !strings.Contains(text, r.Needs) {
		return
	}
	s.effort.addBytes(len(text))
	m := r.Regex.Get().FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	var before []int // the span of a secret before the keyword
	if r.Before != nil {
		line := s.line(pos, ruleBefore)
		switch {
		case r.Lines:
			line = s.Text[max(0, pos-maxRun):pos]
		case r.Across:
			line = s.Text[s.runeStart(max(0, pos-acrossReach)):pos]
		}
		s.effort.addBytes(len(line))
		m := r.Before.Get().FindStringSubmatchIndex(line)
		if m == nil {
			return
		}
		for _, at := range m[2:] {
			before = append(before, pos-len(line)+at)
		}
	}
	found := [][]int{m}
	if r.Each != nil {
		found = r.Each.Get().FindAllStringSubmatchIndex(text[:m[1]], -1)
	}
	for _, m := range found {
		named := r.Regex.Get().SubexpIndex("name") * 2
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 || g == named {
				continue
			}
			if named > 0 {
				s.addNamed(text[m[named]:m[named+1]], from+m[g], from+m[g+1])
				continue
			}
			start, stop := from+m[g], from+m[g+1]
			if len(before) > 0 {
				if start == stop {
					stop = before[1]
				}
				start = before[0]
			}
			if cut && stop == end {
				stop = s.run(&isGraph, stop) // the rest of a long secret
			}
			s.addChecked(r, start, stop)
		}
	}
}

// addNamed adds text[start:end] if its name means that it is a secret.
func (s *scanner) addNamed(name string, start, end int) {
	str, kind := judgeLabel(name)
	if str != none && s.pairs.accept(valueSpan{start, end, true}, separator{kind: '='}, name, str, false) {
		s.add(kind, start, end)
	}
}

// addChecked adds text[from:end] if it passes the checks of the rule.
func (s *scanner) addChecked(r *rule, from, end int) {
	for end > from && strings.IndexByte(r.Trim, s.Text[end-1]) >= 0 {
		end--
	}
	if secret := s.Text[from:end]; passesChecks(secret, r.Checks) && (r.Unless == nil || !r.Unless.Match(secret)) {
		s.add(r.Kind, from, end)
	}
}

// readHeader returns the span of the value of a header or option whose name ends at
// text[after]. The value ends at line breaks and their escapes.
func (s *scanner) readHeader(r *rule, pos, after int) (from, end int) {
	sep, ok := s.pairs.readSeparator(after, s.pairs.isFlag(pos))
	if !ok {
		return after, after
	}
	v := s.pairs.readValue(sep)
	from, end = v.start, v.end
	if !v.quoted {
		value := s.rest(from, headerReach)
		if quote := strings.IndexAny(value, "\"'`"); quote >= 0 && !r.Quotes {
			value = value[:quote]
		}
		end = from + len(value)
	}
	for _, escape := range []string{`\n`, `\r`, `\"`} {
		value, _, _ := strings.Cut(s.Text[from:end], escape)
		end = from + len(value)
	}
	return from, end
}
