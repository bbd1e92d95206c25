package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"errand/planner/plan"
)

// IsASCII reports whether s has only ASCII characters.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Hint is what an answer says about the thing at a token.
type Hint struct {
	Entry   *Entry      // read this phrase instead
	Object  string      // it is a file, a folder
	Folder  string      // it lies in this folder
	Name    string      // it gets this name
	Site    string      // it is played on this site
	Certain bool        // the corrected spelling is right
	Dropped []plan.Goal // goals that the user gave up
}

// Shape is the form of a token, before any language is considered.
type Shape uint8

const (
	WordShape   Shape = iota
	MarkShape         // punctuation that may part clauses: , ; . ! ? : … - and line ends
	QuotedShape       // a quoted span, which is not parsed
	LinkShape         // a URL, domain, IP address or localhost
	BannedShape       // a URL with a forbidden scheme
	PathShape         // an absolute, home or relative path
	FileShape         // name.ext
	SymbolShape       // emoji and the like, ignored at the edges
)

// Token is one unit of the text. Its bytes are text[Start:End]. Slot values are cut
// from there, so that case, typos and ё stay.
type Token struct {
	Shape      Shape
	Start, End int
	Fold       string // the spelling for comparison: lower case, NFKC, ё as е, no apostrophes
	Value      string // quoted: the content; link: as typed
	MaybeLink  bool   // a file name that is a valid domain too: readme.md
	Hint       *Hint  // what an answer says about the thing at this token
}

// Tokenize cuts a text into tokens. The text must be valid UTF-8.
func Tokenize(text string) []Token {
	toks := make([]Token, 0, len(text)/5+4)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029':
			toks = append(toks, Token{Shape: MarkShape, Start: i, End: i + n, Fold: "\n"})
			i += n
		case unicode.IsSpace(r) || isInvisible(r):
			i += n
		default:
			if end := closeQuote(text, i); end > 0 {
				_, last := utf8.DecodeLastRuneInString(text[:end])
				inside := text[i+n : end-last]
				toks = append(toks, Token{Shape: QuotedShape, Start: i, End: end, Fold: "\x00", Value: inside})
				i = end
				continue
			}
			end := i
			for end < len(text) {
				r, n := utf8.DecodeRuneInString(text[end:])
				if unicode.IsSpace(r) {
					break
				}
				end += n
			}
			toks = chunk(toks, text, i, end)
			i = end
		}
	}
	return toks
}

// quotes are the pairs that make a span one token. A back quote is not among them,
// because people search for it.
var quotes = map[rune]string{'"': `"”`, '“': `”"“`, '«': `»`, '„': `“”"`, '\'': `'’`, '‘': `’'`}

// closeQuote returns the end of the quoted span that starts at i, or 0. A space,
// punctuation or the end must follow a closing quote, so that the apostrophe of
// "don't" closes nothing.
func closeQuote(text string, i int) int {
	open, n := utf8.DecodeRuneInString(text[i:])
	closers, ok := quotes[open]
	if !ok {
		return 0
	}
	for j := i + n; j < len(text); {
		r, m := utf8.DecodeRuneInString(text[j:])
		if r == '\n' {
			return 0
		}
		if strings.ContainsRune(closers, r) && j > i+n && endsWord(text[j+m:]) {
			if strings.TrimSpace(text[i+n:j]) == "" {
				return 0
			}
			return j + m
		}
		j += m
	}
	return 0
}

func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || strings.ContainsRune(".,!?;:…)", r)
}

const trailing = ".,!?;:…"

// chunk cuts a run of non-space text[i:end] into a token and the punctuation
// around it.
func chunk(toks []Token, text string, i, end int) []Token {
	whole := text[i:end]
	core := strings.TrimRight(whole, trailing)
	switch {
	case core == "" || whole == "-" || whole == "–" || whole == "—":
		return append(toks, Token{Shape: MarkShape, Start: i, End: end, Fold: whole})
	case strings.HasSuffix(core, "\""):
		core = whole // an unmatched quote is a part of the text
	}
	if t, ok := matchLiteral(core); ok {
		t.Start, t.End = i, i+len(core)
		toks = append(toks, t)
	} else if cut := innerComma(core); cut > 0 {
		toks = chunk(toks, text, i, i+cut)
		toks = append(toks, Token{Shape: MarkShape, Start: i + cut, End: i + cut + 1, Fold: core[cut : cut+1]})
		return chunk(toks, text, i+cut+1, end)
	} else {
		t := Token{Start: i, End: i + len(core), Fold: Fold(core)}
		if t.Fold == "" || !strings.ContainsFunc(core, isText) {
			t.Shape = SymbolShape
			t.Fold = core
		}
		toks = append(toks, t)
	}
	if rest := i + len(core); rest < end {
		toks = append(toks, Token{Shape: MarkShape, Start: rest, End: end, Fold: text[rest : rest+1]})
	}
	return toks
}

// isText tells characters with a meaning from emoji and their joiners. ASCII symbols
// have a meaning: "++", "&", "/".
func isText(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r > ' ' && r < utf8.RuneSelf || unicode.IsPunct(r)
}

// innerComma finds a comma or semicolon that separates two words without a space
// ("a.txt,b.txt"). Between digits it is part of a number.
func innerComma(s string) int {
	for i := 1; i < len(s)-1; i++ {
		if (s[i] == ',' || s[i] == ';') && !(IsDigit(s[i-1]) && IsDigit(s[i+1])) {
			return i
		}
	}
	return 0
}

// IsDigit reports whether b is an ASCII digit.
func IsDigit(b byte) bool { return '0' <= b && b <= '9' }

// isInvisible reports whether a character neither separates words nor matches
// anything.
func isInvisible(r rune) bool {
	switch r {
	case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\ufe0f':
		return true
	}
	return unicode.IsControl(r)
}

// Fold is the spelling by which words are compared.
func Fold(s string) string {
	plain, composed := true, true
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'а' <= r && r <= 'я', ' ' <= r && r < 'A' && r != '\'', 'Z' < r && r < '\x7f' && r != '`':
		case r < utf8.RuneSelf, 'А' <= r && r <= 'ё': // basic Cyrillic has one spelling only
			plain = false
		default:
			plain, composed = false, false
		}
	}
	if plain {
		return trimSoftener(s)
	}
	if !composed {
		s = norm.NFKC.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch r = unicode.ToLower(r); {
		case r == 'ё':
			r = 'е'
		case r == '\'' || r == '’' || r == '‘' || r == '`' || r == 'ʼ' || isInvisible(r):
			continue
		}
		b.WriteRune(r)
	}
	return trimSoftener(b.String())
}

// trimSoftener drops the suffix that softens a Russian command: «открой-ка».
func trimSoftener(s string) string { return strings.TrimSuffix(s, "-ка") }

// Tidy makes a slot value of original text: in NFC, with single spaces.
func Tidy(s string) string {
	return norm.NFC.String(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)), " "))
}

// WithoutQuotes removes double quotes, so that the text can be quoted.
func WithoutQuotes(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"“”„«»", r) {
			return -1
		}
		return r
	}, s)
}
