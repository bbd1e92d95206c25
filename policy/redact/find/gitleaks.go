package find

import (
	"embed"
	"math"
	"slices"
	"strings"
	"sync"

	"errand/policy/rulefile"
)

//go:embed gitleaks/gitleaks.toml
var gitleaksFile embed.FS

// leakRule is a rule of gitleaks/gitleaks.toml: a pattern that is tried around a
// keyword. The secret is its first group, or the whole match.
type leakRule struct {
	ID, Description, Path string
	Regex                 *rulefile.Pattern
	Keywords              []string
	Entropy               float64
	SecretGroup           int
	Allowlists            []allowlist
}

// allowlist matches what is not a secret.
type allowlist struct {
	Description, RegexTarget, Condition string
	Regexes                             []*rulefile.Pattern
	Stopwords, Paths                    []string
}

// leakRules are the rules that apply to text of any origin.
var leakRules = sync.OnceValue(func() []*leakRule {
	var all struct {
		Title, MinVersion string
		Allowlist         allowlist
		Rules             []*leakRule
	}
	rulefile.Read(gitleaksFile, "gitleaks/gitleaks.toml", &all)
	var unused struct{ Covered, Public rulefile.Words }
	rulefile.Read(files, "rules/gitleaks.toml", &unused)
	var out []*leakRule
	for _, r := range all.Rules {
		if unused.Covered[r.ID] || unused.Public[r.ID] || r.Path != "" {
			continue
		}
		r.Keywords = slices.DeleteFunc(r.Keywords, func(k string) bool { return len(k) < minTrigger })
		r.Allowlists = append(r.Allowlists, all.Allowlist)
		r.ID = asKind(r.ID)
		out = append(out, r)
	}
	return out
})

// asKind makes the kind of a mark from the identifier of a rule, of whole words.
func asKind(id string) string {
	id = notKind.Get().ReplaceAllString(id, "")
	for len(id) > maxKind {
		id = id[:strings.LastIndexByte(id, '-')]
	}
	return strings.Trim(id, "-")
}

var notKind = rulefile.New(`[^a-z-]+`)

// A rule sees leakBefore bytes before a keyword and leakWindow bytes after it.
// leakOverlap of these are seen again at the next keyword.
const (
	leakBefore  = 64
	leakWindow  = 768
	leakOverlap = 320
)

// tryLeak tries a rule of gitleaks around its keyword at text[pos].
func (s *scanner) tryLeak(r *leakRule, pos int) {
	if pos < s.leakTried[r] {
		return
	}
	start, end := max(0, pos-leakBefore), min(len(s.Text), pos+leakWindow)
	s.noteRead(end)
	if s.leakTried == nil {
		s.leakTried = map[*leakRule]int{}
	}
	s.leakTried[r] = end - leakOverlap
	if !hasLongWord(s.Text[start:end]) {
		return
	}
	for _, m := range r.Regex.Get().FindAllStringSubmatchIndex(s.Text[start:end], -1) {
		group := r.SecretGroup
		if group == 0 && len(m) > 2 && m[2] >= 0 {
			group = 1
		}
		from, to := start+m[2*group], start+m[2*group+1]
		if r.isSecret(s.Text[from:to]) {
			// Triggers between the keyword and the secret still count.
			s.spans = append(s.spans, Span{Start: from, End: to, Kind: r.ID})
		}
	}
}

// hasLongWord is a cheap test for what every secret contains: a run of letters, digits
// and dashes with a digit in it.
func hasLongWord(text string) bool {
	const long = 12
	for i := 0; i < len(text); i++ {
		end := isToken.upTo(text, i, len(text))
		if end-i >= long && isDigit.matchesAny(text[i:end]) {
			return true
		}
		i = end
	}
	return false
}

func (r *leakRule) isSecret(secret string) bool {
	if isPlaceholder(secret) || entropy(secret) < r.Entropy {
		return false
	}
	for _, a := range r.Allowlists {
		match := func(p *rulefile.Pattern) bool { return p.Match(secret) }
		if slices.ContainsFunc(a.Regexes, match) || slices.ContainsFunc(a.Stopwords, func(w string) bool { return strings.Contains(secret, w) }) {
			return false
		}
	}
	return true
}

// entropy returns the Shannon entropy of a text, in bits per byte.
func entropy(s string) float64 {
	var count [256]float64
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			bits -= n / float64(len(s)) * math.Log2(n/float64(len(s)))
		}
	}
	return bits
}
