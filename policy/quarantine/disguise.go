package quarantine

import (
	"slices"
	"strings"

	"errand/policy/rulefile"
)

// disguises are further readings of a view's visible text: letters of other
// scripts for Latin ones, digits for letters, letters set apart, words cut
// into quoted pieces, text that runs backwards, rot13.
func disguises(v view) []view {
	var out []view
	add := func(text, technique string) {
		if text != v.text && text != "" {
			w := v
			w.text, w.raw = text, text
			if w.technique == "" {
				w.technique = technique
			}
			w.bonus++ // an order in disguise means what it says
			if len(text) != len(v.text) {
				w.offsets = nil
			}
			out = append(out, w)
		}
	}
	if v.technique != "" {
		add(squeeze(v.text), "spacing")
		return out
	}
	add(skeleton(v.text), "homoglyph")
	for _, one := range []byte{'i', 'l'} {
		add(unleetLines(v.text, one), "leetspeak")
	}
	add(squeeze(v.text), "spacing")
	add(respell(v.text), "misspelling")
	add(mend(v.text), "spacing")
	if !ascii(v.raw) {
		add(upright(v.raw), "reversed")
	}
	if strings.Contains(v.text, "rot47") || strings.Contains(v.text, "rot-47") {
		add(strings.ToLower(rot47(v.raw)), "cipher")
	}
	for _, joined := range joins(v.text) {
		add(joined, "payload_split")
		if n := len(out); n > 0 && out[n-1].text == joined {
			out[n-1].raw = "" // forged turns don't come in pieces, and formats are explained in them
		}
	}
	if r := rot13(v.text); ordering(r) && orderWords.Get().MatchString(r) {
		add(r, "rot13")
	}
	if backwards(v.text) && reversedWords.Get().MatchString(v.text) {
		add(reverse(v.text), "reversed")
		add(reverseEach(v.text), "reversed")
	}
	if strings.Contains(v.text, "atbash") {
		add(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return 'z' - (r - 'a')
			}
			return r
		}, v.text), "cipher")
	}
	if len(v.text) < 4096 && cipherNamed.Get().MatchString(v.text) {
		for n := range 25 {
			add(rotate(v.text, n+1), "cipher")
		}
	}
	return out
}

var (
	cipherNamed = rulefile.New(`caesar|cipher|shift(?:ed)? (?:by|each)|rot-?\d`)
	// reversedWords are words of orders, backwards.
	reversedWords = rulefile.New(`erongi|draget?rsid|drag[ei]?rsid|tegrof|edirrevo|laever|snoitcurtsni|tpmorp|tnatsissa|dnes|etelede?|elet[ei]d|etucexe`)
)

// skeleton reads look-alikes as Latin letters in words that also have Latin
// ones; a word of one script is a word of its language.
func skeleton(s string) string {
	if ascii(s) {
		return s
	}
	return words.Get().ReplaceAllStringFunc(s, func(w string) string {
		latin, other := false, false
		for _, r := range w {
			_, looks := lookalikes[r]
			latin = latin || r >= 'a' && r <= 'z'
			other = other || looks
		}
		if !latin || !other {
			return w
		}
		return strings.Map(func(r rune) rune {
			if l, ok := lookalikes[r]; ok {
				return l
			}
			return r
		}, w)
	})
}

var (
	ordering  = anyOf("ignore", "disregard", "forget", "instruction", "prompt", "reveal", "system", "password", "assistant", "execute", "delete", "override", "send", "bypass", "rules", "cookies", "safety", "secret", "approve", "click", "files")
	backwards = anyOf("eron", "drag", "tegrof", "edir", "laever", "snoit", "tpmorp", "tnatsissa", "dnes", "tele", "etuc")
)

var words = rulefile.New(`[\pL\pM\pN]+`)

// orderWords are words of orders to machines, for telling text from noise
// before all rules are tried.
var orderWords = rulefile.New(`\b(?:ignore|disregard|forget|instructions?|prompt|reveal|system|password|assistant|execute|delete|override|send|bypass|rules|cookies|safety|secrets?|approve|click|files)\b`)

// unleetLines reads the lines that have at least two words with digits or
// signs for letters, and answers nothing but them.
func unleetLines(s string, one byte) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !strings.ContainsAny(line, "0123456789@$!|+€£") {
			continue
		}
		plain := unleet(line, one)
		a, b0 := strings.Fields(line), strings.Fields(plain)
		changed := 0
		for i := range min(len(a), len(b0)) {
			if a[i] != b0[i] {
				changed++
			}
		}
		if changed >= 2 && ordering(plain) && orderWords.Get().MatchString(plain) {
			b.WriteString(plain)
		}
	}
	return b.String()
}

var leetWords = rulefile.New(`[a-z0-9@$!|+€£(<]*[0-9@$!|+€£][a-z0-9@$!|+€£(<]*`)

// unleet reads digits and signs as letters where they stand in words; one is
// the letter that 1 and ! stand for.
func unleet(s string, one byte) string {
	return leetWords.Get().ReplaceAllStringFunc(s, func(w string) string {
		letters := 0
		for _, r := range w {
			if r >= 'a' && r <= 'z' {
				letters++
			}
		}
		if letters == 0 || strings.HasSuffix(w, "!") && !strings.ContainsAny(w, "0123456789@$|+") {
			return w
		}
		return strings.Map(func(r rune) rune {
			switch r {
			case '0':
				return 'o'
			case '1', '!', '|':
				return rune(one)
			case '3', '€', '£':
				return 'e'
			case '4', '@':
				return 'a'
			case '5', '$':
				return 's'
			case '6', '9':
				return 'g'
			case '7', '+':
				return 't'
			case '8':
				return 'b'
			case '2':
				return 'z'
			}
			return r
		}, w)
	})
}

// apart are single letters with signs between them, at most four at a time.
var apart = rulefile.New(`(?:^|[^\pL\pN])(?:[a-z0-9@$!][^a-z0-9\n@$!]{1,4}){5,}[a-z0-9@$!](?:[^\pL\pN]|$)`)

var between = rulefile.New(`[^a-z0-9\n@$!]+`)

// squeeze joins letters that are set apart. Where some gaps are wider than
// others, they are the words' own; where none is, the words run together.
func squeeze(s string) string {
	if !setApart(s) {
		return s
	}
	return apart.Get().ReplaceAllStringFunc(s, func(run string) string {
		narrow := 8
		for _, gap := range between.Get().FindAllString(strings.Trim(run, " .,\t"), -1) {
			narrow = min(narrow, len(gap))
		}
		return between.Get().ReplaceAllStringFunc(run, func(gap string) string {
			if len(gap) > narrow {
				return " "
			}
			return ""
		}) + " "
	})
}

// pieces are quoted strings.
var pieces = rulefile.New("\"([^\"\n]{1,80})\"|'([^'\n]{1,80})'|`([^`\n]{1,80})`")

var brokenWord = rulefile.New(`(\pL)-\s*\n\s*(\pL)`)

// joins are the text's quoted pieces put together, with and without blanks,
// and words broken at a line's end made whole.
func joins(s string) []string {
	var out []string
	if found := pieces.Get().FindAllStringSubmatch(s, 64); len(found) >= 2 {
		var parts []string
		for _, m := range found {
			parts = append(parts, m[1]+m[2]+m[3])
		}
		// A piece that is an order by itself is quoted, not cut up.
		whole := slices.ContainsFunc(parts, func(p string) bool { return len(view{text: p}.evidence()) > 0 })
		if !whole {
			out = append(out, strings.Join(parts, ""), strings.Join(parts, " "))
		}
	}
	if strings.Contains(s, "-") && brokenWord.Get().MatchString(s) {
		out = append(out, brokenWord.Get().ReplaceAllString(s, "$1$2"))
	}
	return out
}

func rot13(s string) string { return rotate(s, 13) }

func rotate(s string, n int) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return 'a' + (r-'a'+rune(n))%26
		}
		return r
	}, s)
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func reverseEach(s string) string { return words.Get().ReplaceAllStringFunc(s, reverse) }
