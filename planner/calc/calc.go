// Package calc reads calculations and conversions of units in words, and computes them exactly:
// "what is 15% of 80", "2+2*3", "5 miles in km", «сколько будет 17 на 23». It is pure. The words of
// each language are in words/, the units in units.toml.
package calc

import (
	"slices"
	"strings"
	"unicode"

	"errand/planner/message"
)

// MaxBytes limits the length of a calculation.
const MaxBytes = 400

// Calculation is a calculation, or the conversion of quantities to a unit.
type Calculation struct {
	sum        *node      // nil: a conversion
	quantities []quantity // of one dimension; their sum is converted
	to         Unit
}

type quantity struct {
	count *node
	unit  Unit
}

// String writes the calculation in symbols: "15% × 80", "5 ft 3 in in cm". [Parse] reads it.
func (c Calculation) String() string {
	if c.sum != nil {
		return c.sum.String()
	}
	return c.Amount() + " in " + c.to.Symbol
}

// Amount is what stands before the equals sign of the answer: "15% × 80", "5 ft 3 in".
func (c Calculation) Amount() string {
	if c.sum != nil {
		return c.sum.String()
	}
	parts := make([]string, len(c.quantities))
	for i, q := range c.quantities {
		parts[i] = q.count.String() + " " + q.unit.Symbol
	}
	return strings.Join(parts, " ")
}

// Quantities are the quantities that a conversion begins with.
func (c Calculation) Quantities() []Result {
	var out []Result
	for _, q := range c.quantities {
		out = append(out, Result{q.count.String(), q.unit.Symbol, true})
	}
	return out
}

// Result is what a calculation comes to.
type Result struct {
	Number string // in digits, with a point before its decimals
	Unit   string // symbol; empty without one
	Exact  bool   // false: Number is rounded
}

// Evaluate computes a calculation. Errors say why it has no result.
func (c Calculation) Evaluate() (Result, error) {
	if c.sum != nil {
		n, err := c.sum.eval()
		if err != nil {
			return Result{}, err
		}
		text, exact := format(n, rounded)
		return Result{text, "", exact}, nil
	}
	return c.convert()
}

// Read reads a text in words or symbols as a whole. It is strict: every word has to belong to the
// calculation. Without words that ask for one it is false for what usually means something else:
// a number alone, dates and names such as 9/11 and 7-11.
func Read(text string) (Calculation, bool) {
	if !mayCalculate(text) {
		return Calculation{}, false
	}
	tokens, ok := tokenize(text, strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }))
	if !ok {
		return Calculation{}, false
	}
	r := reader{parser: parser{tokens: tokens}}
	return r.read(text)
}

// mayCalculate tells most other texts apart without the words: a calculation has a digit, or at least
// three words and at most twelve.
func mayCalculate(text string) bool {
	if len(text) > MaxBytes || text == "" {
		return false
	}
	n := len(strings.Fields(text))
	return strings.ContainsAny(text, "0123456789") || n >= 2 && n <= 12
}

// Parse reads a calculation in symbols, as [Calculation.String] writes it.
func Parse(text string) (Calculation, error) {
	if len(text) <= MaxBytes {
		if tokens, ok := tokenize(text, false); ok {
			r := reader{parser: parser{tokens: tokens}}
			if c, ok := r.conversion(); ok {
				return c, nil
			}
			r.at = 0
			if x := r.sum(); x != nil && r.at == len(tokens) {
				return Calculation{sum: x}, nil
			}
		}
	}
	return Calculation{}, message.Error("calc.not_a_calculation", "text", text)
}

// reader reads a whole text.
type reader struct {
	parser
	asks, commands bool
}

func (r *reader) read(text string) (Calculation, bool) {
	for r.skip(roleCommand) || len(r.tokens) > 0 && r.at < len(r.tokens) && r.lead() {
		r.commands = r.commands || !r.asks
	}
	equals := r.trimEnd()
	start := r.at
	if c, ok := r.howMany(); ok {
		return c, true
	}
	r.at = start
	if c, ok := r.conversion(); ok {
		return c, true
	}
	r.at = start
	if c, ok := r.everyday(); ok {
		return c, true
	}
	r.at, r.binary, r.calls, r.percentOf = start, nil, 0, false
	x := r.sum()
	if x == nil || r.at < len(r.tokens) || len(r.binary)+r.calls == 0 && !r.percentOf {
		return Calculation{}, false
	}
	if r.commands || equals {
		return Calculation{sum: x}, true
	}
	if start < len(r.tokens) && slices.Contains(words().idioms, strings.TrimRight(strings.TrimSpace(text[r.tokens[start].start:]), "?!. ")) {
		return Calculation{}, false
	}
	return Calculation{sum: x}, r.asks || r.isClear()
}

// lead takes a phrase that asks, but not one that begins a question for a number of units.
func (r *reader) lead() bool {
	m, n := r.phrase(r.at, roleAsk)
	if n == 0 {
		return false
	}
	if _, many := r.phrase(r.at, roleHowMany); many >= n {
		if _, unit := r.phrase(r.at+many, roleUnit); unit > 0 {
			return false
		}
	}
	_ = m
	r.at += n
	r.asks = true
	return true
}

// trimEnd cuts what has no effect off the end, and reports whether an equals sign was there.
func (r *reader) trimEnd() bool {
	equals := false
	for n := len(r.tokens); n > r.at+1; n = len(r.tokens) {
		cut := 0
		switch text := r.tokens[n-1].text; {
		case r.tokens[n-1].number == nil && (text == "=" || text == "?"):
			equals = equals || text == "="
			cut = 1
		default:
			for k := 1; k <= min(3, n-r.at-1) && cut == 0; k++ {
				if _, found := r.phrase(n-k, roleEnd); found == k {
					cut = k
				}
			}
		}
		if cut == 0 {
			break
		}
		r.tokens = r.tokens[:n-cut]
	}
	return equals
}

// isClear reports whether a calculation without words that ask for one can't be a name, a date, a
// size or a number of a phone.
func (r *reader) isClear() bool {
	if r.percentOf {
		return true
	}
	isDate := len(r.binary) > 0
	for _, b := range r.binary {
		if b.isWord && b.op == "*" && !r.hasLongWord() {
			return false // 2 x 4
		}
		isDate = isDate && b.isTight && (b.op == "-" || b.op == "/")
	}
	if len(r.binary) == 0 {
		return r.calls > 0 && r.tokens[len(r.tokens)-1].text != "!"
	}
	return !isDate
}

// hasLongWord reports whether an operator is written in letters, beyond an x.
func (r *reader) hasLongWord() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.isWord && len(t.text) > 2 })
}
