package quarantine

import (
	"strings"

	"errand/policy/rulefile"
)

// glued is an order without blanks.
var glued = rulefile.New(`(?:ignore|disregard|forget|override|bypass|reveal|print|show|delete|send)(?:all|any|the|your|of|my|these|every|previous|prior|above|earlier|preceding|system|safety|user|users|initial)+(?:instructions?|prompts?|directions|directives|rules|guidelines|files|passwords?|cookies|accounts?)`)

var gluedSigns = anyOf("instruction", "prompt", "rules", "guideline", "directi", "files", "password", "cookies", "account")

// parts are the words that glued is made of: where they stand as they are,
// nothing was cut.
var parts = set("ignore disregard forget override bypass reveal print show delete send all any the your of my these every previous prior above earlier preceding system safety user users user's initial instruction instructions prompt prompts directions directives rules guidelines files password passwords cookies account accounts")

// mend makes whole the words of orders that blanks or signs cut somewhere
// else than between words, one of them in each place it finds: what stands
// there otherwise is no order. It answers "" where nothing was cut.
func mend(s string) string {
	var tight strings.Builder
	tight.Grow(len(s))
	at := make([]int, 0, len(s))
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' || c >= 0x80 {
			tight.WriteByte(c)
			at = append(at, i)
		}
	}
	t := tight.String()
	if len(t) == len(s) || !gluedSigns(t) {
		return ""
	}
	var b strings.Builder
	from := 0
	for _, m := range glued.Get().FindAllStringIndex(t, 64) {
		start, end := at[m[0]], at[m[1]-1]+1
		cut := 0
		pieces := strings.FieldsFunc(s[start:end], func(r rune) bool { return r < 'a' && r != '\'' || r > 'z' && r < 0x80 })
		for _, p := range pieces {
			if !parts[p] {
				cut++
			}
		}
		// A word that runs on into the next one is the writer's own.
		if cut < 2 || start > 0 && isLetter(s[start-1]) || end < len(s) && isLetter(s[end]) {
			continue
		}
		b.WriteString(s[from:start] + spaced(t[m[0]:m[1]]))
		from = end
	}
	if from == 0 {
		return ""
	}
	b.WriteString(s[from:])
	return b.String()
}

// spaced puts the blanks between the words of a glued order.
func spaced(s string) string {
	var out []string
	for len(s) > 0 {
		n := len(s)
		for n > 1 && !parts[s[:n]] {
			n--
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return strings.Join(out, " ")
}

// flips are letters that look right when the page is turned round, and those
// they are read as; the others turn into one another.
var flips = func() map[rune]rune {
	m := map[rune]rune{}
	turned, upright := []rune("ɐqɔpǝɟƃɓɥᴉıɾʞןɯuoɹʇnʌʍʎbd"), []rune("abcdefgghiijklmnortuvwyqp")
	for i, r := range turned {
		m[r] = upright[i]
	}
	return m
}()

// upright turns a text round that is written upside down; "" if it isn't.
func upright(raw string) string {
	turned := 0
	for _, r := range raw {
		if r >= 0x80 && flips[r] != 0 {
			turned++
		}
	}
	if turned < 4 {
		return ""
	}
	return reverse(strings.Map(func(r rune) rune {
		if f, ok := flips[r]; ok {
			return f
		}
		return r
	}, strings.ToLower(raw)))
}

// rot47 turns the printable signs of ASCII by half their number.
func rot47(raw string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return '!' + (r-'!'+47)%94
		}
		return r
	}, raw)
}
