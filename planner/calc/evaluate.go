package calc

import (
	"math"
	"math/big"

	"errand/planner/message"
)

// maxBits limits the size of numbers; a result over it is an error.
const maxBits = 12_000

// precision of roots, in bits.
const precision = 256

// number is a value. An approximate one is rounded.
type number struct {
	*big.Rat
	approximate bool
}

// eval computes a node.
func (n *node) eval() (number, error) {
	if n.op == "" {
		return number{n.value, false}, nil
	}
	args := make([]number, len(n.args))
	approximate := false
	for i, a := range n.args {
		v, err := a.eval()
		if err != nil {
			return number{}, err
		}
		args[i] = v
		approximate = approximate || v.approximate
	}
	if (n.op == "+" || n.op == "-") && n.args[1].op == "%" { // 80 + 15%
		args[1].Rat = new(big.Rat).Mul(args[0].Rat, args[1].Rat)
	}
	out, err := apply(n.op, args)
	if err != nil {
		return number{}, err
	}
	if out.Num().BitLen() > maxBits || out.Denom().BitLen() > maxBits {
		return number{}, message.Error("calc.too_large")
	}
	out.approximate = out.approximate || approximate
	return out, nil
}

func apply(op string, args []number) (number, error) {
	x, out := args[0].Rat, new(big.Rat)
	switch op {
	case "+":
		return number{out.Add(x, args[1].Rat), false}, nil
	case "-":
		return number{out.Sub(x, args[1].Rat), false}, nil
	case "*":
		return number{out.Mul(x, args[1].Rat), false}, nil
	case "neg":
		return number{out.Neg(x), false}, nil
	case "%":
		return number{out.Quo(x, big.NewRat(100, 1)), false}, nil
	case "/", "mod":
		if args[1].Sign() == 0 {
			return number{}, message.Error("calc.divide_by_zero")
		}
		out.Quo(x, args[1].Rat)
		if op == "mod" { // x − y·⌊x ÷ y⌋
			floor := new(big.Rat).SetInt(new(big.Int).Div(out.Num(), out.Denom()))
			out.Sub(x, floor.Mul(floor, args[1].Rat))
		}
		return number{out, false}, nil
	case "^":
		return power(x, args[1].Rat)
	case "!":
		if !x.IsInt() || x.Sign() < 0 {
			return number{}, message.Error("calc.no_factorial")
		}
		if x.Cmp(big.NewRat(1000, 1)) > 0 {
			return number{}, message.Error("calc.too_large")
		}
		return number{out.SetInt(new(big.Int).MulRange(1, max(x.Num().Int64(), 1))), false}, nil
	}
	degree := 2
	if op == "∛" {
		degree = 3
	}
	return root(x, degree)
}

// root computes the square or cube root of x, exactly if it is a fraction.
func root(x *big.Rat, degree int) (number, error) {
	if x.Sign() < 0 && degree == 2 {
		return number{}, message.Error("calc.no_root")
	}
	abs := new(big.Rat).Abs(x)
	top, exactTop := intRoot(abs.Num(), degree)
	bottom, exactBottom := intRoot(abs.Denom(), degree)
	out, approximate := new(big.Rat), false
	if exactTop && exactBottom {
		out.SetFrac(top, bottom)
	} else {
		scale := new(big.Int).Lsh(big.NewInt(1), precision) // the root of a number with 256 more bits
		scaled := new(big.Int).Lsh(abs.Num(), uint(precision*degree))
		top, _ := intRoot(scaled.Quo(scaled, abs.Denom()), degree)
		out.SetFrac(top, scale)
		approximate = true
	}
	if x.Sign() < 0 {
		out.Neg(out)
	}
	return number{out, approximate}, nil
}

// intRoot returns the root of x ≥ 0, rounded down, and whether it is exact.
func intRoot(x *big.Int, degree int) (*big.Int, bool) {
	if degree == 2 {
		r := new(big.Int).Sqrt(x)
		return r, new(big.Int).Mul(r, r).Cmp(x) == 0
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(x.BitLen()/3+1))
	for one := big.NewInt(1); low.Cmp(high) < 0; {
		mid := new(big.Int).Add(low, high)
		mid.Add(mid, one).Rsh(mid, 1)
		if new(big.Int).Exp(mid, big.NewInt(3), nil).Cmp(x) <= 0 {
			low = mid
		} else {
			high = mid.Sub(mid, one)
		}
	}
	return low, new(big.Int).Exp(low, big.NewInt(3), nil).Cmp(x) == 0
}

// power computes x to the power of y. It is exact for whole y.
func power(x, y *big.Rat) (number, error) {
	if y.IsInt() {
		if !y.Num().IsInt64() || math.Abs(float64(y.Num().Int64()))*float64(max(x.Num().BitLen(), x.Denom().BitLen(), 1)) > maxBits {
			return number{}, message.Error("calc.too_large")
		}
		n := y.Num().Int64()
		if n < 0 && x.Sign() == 0 {
			return number{}, message.Error("calc.divide_by_zero")
		}
		e := big.NewInt(max(n, -n))
		out := new(big.Rat).SetFrac(new(big.Int).Exp(x.Num(), e, nil), new(big.Int).Exp(x.Denom(), e, nil))
		if n < 0 {
			out.Inv(out)
		}
		return number{out, false}, nil
	}
	if x.Sign() < 0 {
		return number{}, message.Error("calc.no_root")
	}
	if y.Cmp(big.NewRat(1, 2)) == 0 {
		return root(x, 2)
	}
	base, _ := x.Float64()
	exponent, _ := y.Float64()
	out := new(big.Rat)
	if f := math.Pow(base, exponent); math.IsInf(f, 0) || math.IsNaN(f) || out.SetFloat64(f) == nil {
		return number{}, message.Error("calc.too_large")
	}
	return number{out, true}, nil
}
