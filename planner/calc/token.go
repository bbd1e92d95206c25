package calc

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/planner/wordlist"
)

// token is a number, a symbol or a word of a calculation.
type token struct {
	number     *big.Rat // nil: a symbol or a word
	text       string   // folded; of a number as typed
	start, end int      // bytes
	isWord     bool
}

// symbols are the characters that mean the same as an operator, by that operator.
var symbols = map[rune]string{
	'+': "+", '-': "-", '−': "-", '–': "-", '—': "-", '*': "*", '×': "*", '·': "*", '⋅': "*", '/': "/", '÷': "/", '^': "^",
	'(': "(", ')': ")", '%': "%", '²': "²", '³': "³", '√': "√", '∛': "∛", '=': "=", '!': "!", '?': "?", '$': "$", '€': "$", '£': "$", '₽': "$",
}

// maxDigits limits a number that is written out.
const maxDigits = 100

// tokenize cuts a text into tokens. decimalComma says that a comma always begins decimals.
// It returns false for a text with a character that no calculation has.
func tokenize(text string, decimalComma bool) ([]token, bool) {
	var out []token
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case r == '.' && strings.TrimSpace(text[i+n:]) == "": // the end of a sentence
			i += n
		case r >= '0' && r <= '9' || r == '.' && i+1 < len(text) && isDigit(text[i+1]):
			t, ok := readDigits(text, i, decimalComma)
			if !ok {
				return nil, false
			}
			out = append(out, t)
			i = t.end
		case symbols[r] != "":
			symbol := symbols[r]
			if symbol == "*" && strings.HasPrefix(text[i+n:], "*") {
				symbol, n = "^", n+1
			}
			out = append(out, token{text: symbol, start: i, end: i + n})
			i += n
		case unicode.IsLetter(r) || r == '°':
			end := i
			for end < len(text) {
				r, n := utf8.DecodeRuneInString(text[end:])
				if !unicode.IsLetter(r) && !strings.ContainsRune("°'’", r) && !isInsideUnit(text, i, end, r) {
					break
				}
				end += n
			}
			out = append(out, token{text: wordlist.Fold(text[i:end]), start: i, end: end, isWord: true})
			i = end
		default:
			return nil, false
		}
	}
	return out, len(out) > 0
}

// isInsideUnit reports whether a character continues the symbol of a unit that begins at from: the
// slash of "km/h", the exponent of "m²" and "m2", the hyphen of "light-year".
func isInsideUnit(text string, from, at int, r rune) bool {
	if at == from {
		return false
	}
	end := at + utf8.RuneLen(r)
	if r == '/' || r == '-' {
		for end < len(text) {
			next, n := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(next) {
				break
			}
			end += n
		}
	} else if !strings.ContainsRune("²³23", r) {
		return false
	}
	return len(words().phrases[wordlist.Fold(text[from:end])]) > 0
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// readDigits reads the number at byte i: 12, 1,000.5, 1 000 000, 3,5, .5.
func readDigits(text string, i int, decimalComma bool) (token, bool) {
	digits, end, hasPoint := strings.Builder{}, i, false
	for end < len(text) {
		b := text[end]
		switch {
		case isDigit(b):
			digits.WriteByte(b)
		case (b == '.' || b == ',') && end+1 < len(text) && isDigit(text[end+1]) && !hasPoint:
			if b == ',' && !decimalComma && startsGroups(text[end:], ',') {
				break
			}
			hasPoint = true
			digits.WriteByte('.')
		case b == ' ' && !hasPoint && startsGroups(text[end:], ' ') && end-i <= 3:
			for startsGroups(text[end:], ' ') {
				digits.WriteString(text[end+1 : end+4])
				end += 4
			}
			end--
		default:
			r, ok := new(big.Rat).SetString(digits.String())
			return token{number: r, text: text[i:end], start: i, end: end}, ok && digits.Len() <= maxDigits
		}
		end++
	}
	r, ok := new(big.Rat).SetString(digits.String())
	return token{number: r, text: text[i:end], start: i, end: end}, ok && digits.Len() <= maxDigits
}

// startsGroups reports whether text begins with a separator and exactly three digits: ",000".
func startsGroups(text string, separator byte) bool {
	return len(text) >= 4 && text[0] == separator && isDigit(text[1]) && isDigit(text[2]) && isDigit(text[3]) && (len(text) == 4 || !isDigit(text[4]))
}
