package quarantine

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is one way to read the text or a part of it.
type view struct {
	text string // folded: what the rules match
	raw  string // before folding, for what folding would destroy

	// technique names how the view is concealed; "" for the plain reading.
	technique string
	// bonus is added to a passage's score where any rule matches: what is
	// concealed and gives orders has no honest reason to.
	bonus float64

	// Places: offsets leads bytes of text back to the scanned text; where it is
	// nil all of the view stands for within.
	offsets []int
	within  Span

	// Of a window: where it begins, and where in the whole text elements do.
	base int
	tags map[string]int
}

// views unfolds a window, the plain reading first: as it is written, not as
// markup.
func views(text string) iter.Seq[view] {
	return func(yield func(view) bool) {
		seen := slices.Concat([]view{plainView(text)}, invisibleViews(text), threads(text))
		for _, v := range seen {
			if !yield(v) {
				return
			}
			for _, d := range disguises(v) {
				if !yield(d) {
					return
				}
			}
		}
		budget := decodedPerText * max(len(text), 1<<10)
		for _, v := range decoded(text, Span{0, len(text), ""}, 0, &budget) {
			if !yield(v) {
				return
			}
		}
	}
}

// markupViews reads a whole text as markup, since what is hidden may have been
// opened long before, and unfolds each part of it.
func markupViews(text string) iter.Seq[view] {
	return func(yield func(view) bool) {
		htmlViews(text, func(v view) bool {
			if !yield(v) {
				return false
			}
			for _, d := range disguises(v) {
				if !yield(d) {
					return false
				}
			}
			return true
		})
	}
}

// plainView folds the text and keeps every byte's place.
func plainView(text string) view {
	folded, offsets := fold(text)
	v := view{text: folded, raw: text, offsets: offsets, within: Span{0, len(text), ""}}
	switch cuts := wordsCut(text); {
	case cuts >= 10:
		v.bonus = 2
	case cuts >= 3:
		v.bonus = 1
	}
	return v
}

// wordsCut counts how often characters that nobody sees stand between the
// Latin letters of words, which no language asks for. Soft hyphens mark where a word
// may break.
func wordsCut(text string) int {
	cuts, before := 0, rune(0)
	unseen := false
	for _, r := range text {
		switch {
		case r != 0xAD && r >= utf8.RuneSelf && invisible(r):
			unseen = before >= 'A' && before <= 'z'
			continue
		case unseen && r >= 'A' && r <= 'z':
			cuts++
		}
		before, unseen = r, false
	}
	return cuts
}

// partView folds something that stands for a part of the scanned text.
func partView(text, technique string, bonus float64, within Span) view {
	folded, _ := fold(text)
	return view{text: folded, raw: text, technique: technique, bonus: bonus, within: within}
}

// place leads a match in v.text back to the scanned text.
func (v view) place(start, end int) (int, int) {
	if v.offsets == nil || start >= end || end > len(v.offsets) {
		return v.within.Start, v.within.End
	}
	return v.offsets[start], v.offsets[end-1] + 1
}

// fold reads a text as its rendering would be read: compatibility forms are
// resolved (full-width, mathematical and circled letters), accents and
// combining strokes dropped, case dropped, invisible characters dropped, runs
// of blanks kept. The second answer is each byte's place in the text.
func fold(text string) (string, []int) {
	var b strings.Builder
	b.Grow(len(text))
	offsets := make([]int, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r < utf8.RuneSelf {
			b.WriteByte(lowerASCII(byte(r)))
			offsets = append(offsets, i)
			i++
			continue
		}
		if !invisible(r) {
			for _, f := range foldRune(r) {
				size := utf8.RuneLen(f)
				b.WriteRune(f)
				for range size {
					offsets = append(offsets, i)
				}
			}
		}
		i += n
	}
	return b.String(), offsets
}

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldRune is the fold of one character beyond ASCII.
func foldRune(r rune) []rune {
	switch r {
	case '’', '‘', 'ʼ', '′':
		return []rune{'\''}
	case '“', '”', '„', '«', '»', '″':
		return []rune{'"'}
	case '\u00a0', '\u2003', '\u2002', '\u2009', '\u202f', '\u3000':
		return []rune{' '}
	}
	if latin, ok := letterForms[r]; ok {
		return []rune{latin}
	}
	if r >= 0x1F1E6 && r <= 0x1F1FF { // regional indicators
		return []rune{'a' + r - 0x1F1E6}
	}
	var out []rune
	for _, d := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.Mn, d) {
			continue
		}
		if d == utf8.RuneError {
			d = ' '
		}
		out = append(out, unicode.ToLower(d))
	}
	return out
}

// letterForms are small capitals and the like, which Unicode does not call
// compatible with the letters that they are read as.
var letterForms = func() map[rune]rune {
	m := map[rune]rune{}
	put := func(forms, letters string) {
		l := []rune(letters)
		for i, f := range []rune(forms) {
			m[f] = l[i]
		}
	}
	put("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz")
	put("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", "acefghijkmrtvwy")
	put("łøđħŧıŀ", "lodhtil")
	put("🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉", "abcdefghijklmnopqrstuvwxyz")
	put("🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩", "abcdefghijklmnopqrstuvwxyz")
	return m
}()

// lookalikes are Cyrillic, Greek and Armenian letters that are read
// as Latin ones (Unicode TR 39, confusables, the subset that occurs in words).
var lookalikes = func() map[rune]rune {
	m := map[rune]rune{}
	for pair := range strings.FieldsSeq("аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ьb вb нh кk мm тt гr пn ӏl үy ѵv ԍg " +
		"αa βb εe ιi κk νv οo ρp τt υu χx ωw γy ηn ςs σo " +
		"ѡw ғf ҽe օo սu ոn հh ցg զq աw") {
		r := []rune(pair)
		m[r[0]] = r[1]
	}
	return m
}()

// invisible reports characters that leave no trace on a screen.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x180E, r == 0x3164, r == 0xFEFF, r == 0xFFA0:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F,
		r >= 0xE0000 && r <= 0xE01EF:
		return true
	}
	return false
}

// invisibleViews reads what is written in characters that nobody sees: tag
// characters, which mirror ASCII, variation selectors, which number bytes, and
// zero-width characters used as bits. Flags of emoji use tags honestly.
func invisibleViews(text string) []view {
	var out []view
	add := func(hidden []rune, start, end int, technique string) {
		if len(hidden) < 4 {
			return
		}
		v := partView(string(hidden), technique, 2, Span{start, end, ""})
		letters := 0
		for _, r := range hidden {
			if unicode.IsLetter(r) || r == ' ' {
				letters++
			}
		}
		if letters*10 >= len(hidden)*8 {
			v.bonus = threshold // unseen words are an attempt whatever they say
		}
		out = append(out, v)
	}
	var tags, selectors, bits []rune
	tagStart, selStart, bitStart, flag := 0, 0, 0, false
	flush := func(at int) {
		if !flag || len(tags) > 6 { // a region has two letters and at most four signs
			add(tags, tagStart, at, "unicode_tags")
		}
		add(selectors, selStart, at, "variation_selectors")
		if len(bits) >= 32 {
			add(bitsToRunes(bits), bitStart, at, "zero_width")
		}
		tags, selectors, bits, flag = nil, nil, nil, false
	}
	for i, r := range text {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			if len(tags) == 0 {
				tagStart = i
			}
			tags = append(tags, r-0xE0000)
		case r == 0xE007F || r == 0xE0001:
		case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
			if len(selectors) == 0 {
				selStart = i
			}
			b := r - 0xFE00
			if r >= 0xE0100 {
				b = r - 0xE0100 + 16
			}
			selectors = append(selectors, b)
		case r == 0x200B || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r == 0x2062 || r == 0x2063 || r == 0x2064:
			if len(bits) == 0 {
				bitStart = i
			}
			bits = append(bits, r)
		default:
			flush(i)
			flag = r == 0x1F3F4 // a flag's tags follow
		}
	}
	flush(len(text))
	return out
}

// threads reads what is written with an unseen character behind each letter,
// which may begin in the middle of a word.
func threads(text string) []view {
	const few = 8 // letters
	var out []view
	var thread strings.Builder
	start, letters, last := 0, 0, rune(0)
	flush := func(at int) {
		if letters >= few {
			out = append(out, partView(thread.String(), "zero_width", 1, Span{start, at, ""}))
		}
		thread.Reset()
		letters = 0
	}
	lastAt, inside := 0, false
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf && invisible(r):
			if last != 0 && last < utf8.RuneSelf && !inside {
				if thread.Len() == 0 {
					start = lastAt
				}
				thread.WriteRune(last)
				if isLetter(byte(last)) {
					letters++
				}
			}
			last, inside = 0, false
		default:
			if last != 0 { // nothing behind the letter before
				thread.WriteRune(last)
				flush(i)
			}
			inside = last != 0 && last < utf8.RuneSelf && isLetter(byte(last)) // the last letter of a word in plain sight
			last, lastAt = r, i
		}
	}
	if last != 0 {
		thread.WriteRune(last)
	}
	flush(len(text))
	return out
}

// bitsToRunes reads zero-width characters as bits, most significant first,
// either of the two most frequent kinds being 1.
func bitsToRunes(bits []rune) []rune {
	zero := bits[0]
	decode := func(one bool) []rune {
		var out []rune
		for i := 0; i+8 <= len(bits); i += 8 {
			var c rune
			for _, b := range bits[i : i+8] {
				c <<= 1
				if (b == zero) == one {
					c |= 1
				}
			}
			if c < 0x20 || c > 0x7e {
				return nil
			}
			out = append(out, c)
		}
		return out
	}
	if out := decode(false); out != nil {
		return out
	}
	return decode(true)
}
