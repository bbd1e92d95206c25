package calc

import "math/big"

// conversion reads "5 feet 3 inches in cm" up to the last token.
func (r *reader) conversion() (Calculation, bool) {
	start := r.at
	for end := len(r.tokens) - 1; end > start; end-- { // "in" may be an inch
		r.at = end
		if !r.skip(roleIn) {
			continue
		}
		r.skip(roleArticle)
		to := r.unitsAt(len(r.tokens))
		if to == nil {
			continue
		}
		whole := r.tokens
		r.tokens, r.at = r.tokens[:end], start
		amount, ok := r.amount(false)
		r.tokens = whole
		if c, fits := fit(amount, to); ok && fits {
			r.at = len(r.tokens)
			return c, true
		}
	}
	return Calculation{}, false
}

// howMany reads "how many grams are in 3 pounds". "In a pound" is one pound.
func (r *reader) howMany() (Calculation, bool) {
	if !r.skip(roleHowMany) {
		return Calculation{}, false
	}
	start := r.at
	for n := min(5, len(r.tokens)-start); n > 0; n-- {
		r.at = start
		to := r.unitsAt(start + n)
		if to == nil {
			continue
		}
		filled := false
		for r.skip(roleFiller) {
			filled = true // "how many km is 26 miles"
		}
		if !r.skip(roleIn) && !filled {
			continue
		}
		amount, ok := r.amount(true)
		if c, fits := fit(amount, to); ok && fits {
			return c, true
		}
	}
	return Calculation{}, false
}

// unitsAt returns the units that the tokens from the current one to end can mean; nil: none.
func (r *reader) unitsAt(end int) []Unit {
	var out []Unit
	if end <= r.at || end > len(r.tokens) {
		return nil
	}
	text := ""
	for _, t := range r.tokens[r.at:end] {
		if text += t.text; t.end < r.tokens[end-1].end {
			text += " "
		}
	}
	for _, m := range words().phrases[text] {
		if m.role == roleUnit {
			out = append(out, units()[m.value])
		}
	}
	if out != nil {
		r.at = end
	}
	return out
}

// counted is a number of one of several units.
type counted struct {
	count *node
	units []Unit
}

// amount reads quantities up to the last token. With one, a unit alone is one of it.
func (r *reader) amount(one bool) ([]counted, bool) {
	var out []counted
	for r.at < len(r.tokens) {
		from := r.at
		minus := r.symbol("-") != ""
		count := r.number()
		if m, n := r.phrase(r.at, roleFraction); count == nil && n > 0 {
			count = mustRat(m.value)
			r.at += n
			r.skip(roleOf)
			r.skip(roleArticle)
		}
		if count == nil {
			if r.at != from || len(out) > 0 || !r.skip(roleArticle) && !one {
				return nil, false
			}
			count = big.NewRat(1, 1)
		}
		x := &node{value: count}
		if n, finite := count.FloatPrec(); !finite || n > maxDecimals {
			return nil, false
		}
		if minus {
			x = &node{op: "neg", args: []*node{x}}
		}
		var found []Unit
		for n := min(5, len(r.tokens)-r.at); n > 0 && found == nil; n-- {
			found = r.unitsAt(r.at + n)
		}
		if found == nil {
			return nil, false
		}
		out = append(out, counted{x, found})
	}
	return out, len(out) > 0
}

// alike are units that people write alike in another dimension, and so mean each other.
var alike = map[string]map[string]string{
	"oz":    {"volume": "fl oz"},
	"fl oz": {"mass": "oz"},
}

// fit makes a conversion of quantities, if all units have one dimension.
func fit(amount []counted, to []Unit) (Calculation, bool) {
	for _, target := range to {
		c := Calculation{to: target}
		for _, a := range amount {
			for _, u := range a.units {
				u = read(u, &c.to)
				if u.Dimension == c.to.Dimension && (u.Dimension != "temperature" || len(amount) == 1) {
					c.quantities = append(c.quantities, quantity{a.count, u})
					break
				}
			}
		}
		if len(c.quantities) == len(amount) && len(amount) > 0 {
			return c, true
		}
	}
	return Calculation{}, false
}

// read is the unit that u means beside another one: degrees are those of the other scale of
// temperature, and ounces may be fluid.
func read(u Unit, other *Unit) Unit {
	if u.Symbol == "°" {
		if symbol, ok := map[string]string{"°C": "°F", "°F": "°C"}[other.Symbol]; ok {
			return units()[symbol]
		}
	}
	if symbol, ok := alike[u.Symbol][other.Dimension]; ok {
		return units()[symbol]
	}
	if symbol, ok := alike[other.Symbol][u.Dimension]; ok {
		*other = units()[symbol]
	}
	return u
}

// convert computes the sum of the quantities in the unit of the result.
func (c Calculation) convert() (Result, error) {
	sum := number{new(big.Rat), false}
	for _, q := range c.quantities {
		n, err := q.count.eval()
		if err != nil {
			return Result{}, err
		}
		v := new(big.Rat).Mul(n.Rat, q.unit.Factor)
		sum.Add(sum.Rat, v.Add(v, q.unit.Offset))
	}
	sum.Sub(sum.Rat, c.to.Offset)
	sum.Quo(sum.Rat, c.to.Factor)
	text, exact := format(sum, measured)
	return Result{text, c.to.Symbol, exact}, nil
}
