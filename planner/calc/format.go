package calc

import (
	"math/big"
	"strconv"
	"strings"
)

const (
	maxShown    = 30 // digits of a whole number that is written out
	maxDecimals = 12 // of a number that is written exactly
	rounded     = 10 // digits of a number that is rounded
	measured    = 6  // the same, of a quantity
)

// format writes a number and reports whether it is exact. A long one is rounded, and a very large
// or small one has a power of ten: 1.5×10^40.
func format(n number, rounded int) (text string, exact bool) {
	r := n.Rat
	whole := new(big.Int).Quo(r.Num(), r.Denom())
	digits := len(whole.Text(10))
	decimals, finite := r.FloatPrec()
	switch {
	case r.IsInt() && digits <= maxShown && !n.approximate:
		return r.Num().String(), true
	case finite && decimals <= maxDecimals && digits <= maxShown && !n.approximate:
		return exactDecimal(r), true
	}
	f := new(big.Float).SetPrec(precision).SetRat(r)
	text = f.Text('e', rounded-1)
	mantissa, power, _ := strings.Cut(text, "e")
	exponent, _ := strconv.Atoi(power)
	if exponent >= -6 && exponent < 15 {
		text = r.FloatString(max(rounded-1-exponent, 0))
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text, false
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "×10^" + strconv.Itoa(exponent), false
}
