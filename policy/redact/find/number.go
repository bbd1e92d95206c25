package find

import (
	"strconv"
	"strings"

	"errand/policy/rulefile"
)

// numbers are the rules of rules/numbers.toml, which explains them.
var numbers = rulefile.Load[struct {
	Card, Account *rulefile.Pattern
	Lengths       rulefile.Words
}](files, "rules/numbers.toml")

const (
	minDigits = 12 // minimum digits of a number
	maxNumber = 48 // maximum characters of an IBAN in groups
	// numberStep is the length of a run of digits that every number contains.
	numberStep = 4
)

var isNumber = bytesOf("0-9", "A-Z", " -", "\xa0\xc2")

// findNumbers finds the numbers of payment cards and bank accounts by their check digits.
func (s *scanner) findNumbers() {
	for i := numberStep - 1; i < len(s.Text); i += numberStep {
		if !isDigit[s.Text[i]] {
			continue
		}
		start := isNumber.startOfRun(s.Text, i, maxNumber)
		end := isNumber.upTo(s.Text, i, maxNumber)
		i = max(i, end-1)
		if end-start < minDigits || isDigit.count(s.Text[start:end]) < minDigits {
			continue
		}
		// The run may continue in a word or a decimal fraction.
		if start > 0 && (isWord[s.Text[start-1]] || s.Text[start-1] == '.') {
			start += strings.IndexAny(s.Text[start:end]+" ", " -\u00a0")
		}
		if end < len(s.Text) && isWord[s.Text[end]] {
			end = start + strings.LastIndexAny(" "+s.Text[start:end], " -\u00a0")
		}
		if end > start && isDigit.count(s.Text[start:end]) >= minDigits {
			s.findChecked("card", numbers().Card, cardLength, start, end)
			s.findChecked("iban", numbers().Account, accountLength, start, end)
		}
	}
}

// findChecked finds matches of a pattern in text[start:end]; length returns the length
// of the number with valid check digits at the beginning of a match.
func (s *scanner) findChecked(kind string, p *rulefile.Pattern, length func(string) int, start, end int) {
	for _, m := range p.Get().FindAllStringSubmatchIndex(s.Text[start:end], -1) {
		if n := length(s.Text[start+m[2] : start+m[3]]); n > 0 {
			s.add(kind, start+m[2], start+m[2]+n)
		}
	}
}

// cardLength returns the length of a number whose digits pass the Luhn check (ISO/IEC 7812), or 0.
func cardLength(number string) int {
	sum, double := 0, false
	for i := len(number) - 1; i >= 0; i-- {
		if !isDigit[number[i]] {
			continue
		}
		d := int(number[i] - '0')
		if double {
			d = d*2/10 + d*2%10
		}
		sum, double = sum+d, !double
	}
	if sum%10 != 0 || sum == 0 {
		return 0
	}
	return len(number)
}

// accountLength returns the length of the IBAN that a text begins with, or 0. An IBAN has the
// length that its country gives it and passes a check modulo 97 (ISO 13616).
func accountLength(text string) int {
	var number []byte
	for i := range len(text) {
		if c := upper(text[i]); isAlnum[c] {
			number = append(number, c)
		}
		if n := len(number); n < 4 || !numbers().Lengths[string(number[:2])+strconv.Itoa(n)] {
			continue
		}
		rest := 0
		for _, c := range append(number[4:], number[:4]...) {
			if isDigit[c] {
				rest = (rest*10 + int(c-'0')) % 97
			} else {
				rest = (rest*100 + int(c-'A') + 10) % 97
			}
		}
		if rest != 1 || i+1 < len(text) && isAlnum[text[i+1]] {
			return 0
		}
		return i + 1
	}
	return 0
}

func upper(c byte) byte {
	if isLower[c] {
		return c - 'a' + 'A'
	}
	return c
}
