package calc

import (
	"math/big"
	"strings"
)

// node is a calculation as a tree.
type node struct {
	op    string // "" of a number; "+", "-", "*", "/", "^", "mod" of two, "neg", "%", "!", "√", "∛" of one
	args  []*node
	value *big.Rat
}

// precedence of operators; functions and suffixes bind most.
var precedence = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2, "neg": 3, "^": 4}

// shown are the operators as people write them.
var shown = map[string]string{"+": " + ", "-": " − ", "*": " × ", "/": " ÷ ", "mod": " mod ", "^": "^"}

func (n *node) level() int {
	if p, ok := precedence[n.op]; ok {
		return p
	}
	return 5
}

// String writes the calculation with the fewest parentheses. [Parse] reads it.
func (n *node) String() string {
	switch n.op {
	case "":
		return exactDecimal(n.value)
	case "neg":
		return "−" + n.args[0].inside(precedence["neg"]+1)
	case "%", "!":
		return n.args[0].inside(5) + n.op
	case "√", "∛":
		return n.op + n.args[0].inside(5)
	case "^":
		return n.args[0].inside(5) + "^" + n.args[1].inside(5)
	}
	p := precedence[n.op]
	return n.args[0].inside(p) + shown[n.op] + n.args[1].inside(p+1)
}

// inside writes a node as an operand, in parentheses if it binds less than level.
func (n *node) inside(level int) string {
	if n.level() < level {
		return "(" + n.String() + ")"
	}
	return n.String()
}

// exactDecimal writes a number that has finitely many decimals.
func exactDecimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	n, _ := r.FloatPrec()
	return strings.TrimRight(r.FloatString(n), "0")
}
