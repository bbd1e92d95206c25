package calc

import (
	"math/big"
	"strings"
)

// maxDepth limits how deep a calculation nests.
const maxDepth = 40

// parser reads tokens as a calculation, by recursive descent. Each method returns nil if nothing of
// its kind begins at the current token.
type parser struct {
	tokens            []token
	at                int
	depth             int
	binary            []operatorUse
	calls             int // functions and suffixes other than %
	percentOf, byWord bool
}

// operatorUse is an operator that joins two numbers.
type operatorUse struct {
	op      string
	isTight bool // no space beside it
	isWord  bool
}

// phrase returns the longest phrase with a role at token i, and its length; 0: there is none.
func (p *parser) phrase(i int, roles ...role) (meaning, int) {
	for n := min(words().longest, len(p.tokens)-i); n > 0; n-- {
		parts := make([]string, 0, n)
		for _, t := range p.tokens[i : i+n] {
			parts = append(parts, t.text)
		}
		for _, m := range words().phrases[strings.Join(parts, " ")] {
			for _, r := range roles {
				if m.role == r {
					return m, n
				}
			}
		}
	}
	return meaning{}, 0
}

// skip skips the phrases with a role at the current token and reports whether there was one.
func (p *parser) skip(roles ...role) bool {
	_, n := p.phrase(p.at, roles...)
	p.at += n
	return n > 0
}

// symbol takes one of the symbols at the current token.
func (p *parser) symbol(all ...string) string {
	if p.at < len(p.tokens) && !p.tokens[p.at].isWord && p.tokens[p.at].number == nil {
		for _, s := range all {
			if p.tokens[p.at].text == s {
				p.at++
				return s
			}
		}
	}
	return ""
}

// operator takes one of the operators at the current token, as a symbol or in words.
func (p *parser) operator(all ...string) string {
	at := p.at
	if s := p.symbol(all...); s != "" {
		p.binary = append(p.binary, operatorUse{s, p.isTight(at), false})
		return s
	}
	if m, n := p.phrase(p.at, roleOperator); n > 0 {
		for _, s := range all {
			if m.value == s {
				p.at += n
				p.binary, p.byWord = append(p.binary, operatorUse{s, p.isTight(at), true}), true
				return s
			}
		}
	}
	return ""
}

// isTight reports whether no space is beside token i.
func (p *parser) isTight(i int) bool {
	return i > 0 && i+1 < len(p.tokens) && p.tokens[i-1].end == p.tokens[i].start && p.tokens[i].end == p.tokens[i+1].start
}

func (p *parser) sum() *node {
	if p.depth++; p.depth > maxDepth {
		return nil
	}
	defer func() { p.depth-- }()
	left := p.product()
	for left != nil {
		from := p.at
		op := p.operator("+", "-")
		if op == "" {
			return left
		}
		right := p.product()
		if right == nil {
			p.at = from
			return left
		}
		left = &node{op: op, args: []*node{left, right}}
	}
	return nil
}

func (p *parser) product() *node {
	left := p.unary()
	for left != nil {
		from := p.at
		op := p.operator("*", "/", "mod")
		if op == "" && (left.op == "%" || left.op == "/") {
			switch {
			case p.skip(roleOf):
				op, p.percentOf = "*", true
			case left.op == "%" && p.skip(roleOff):
				op, p.percentOf = "off", true
			}
		}
		if op == "" {
			return left
		}
		right := p.unary()
		if right == nil {
			p.at = from
			return left
		}
		if op == "off" {
			left = &node{op: "-", args: []*node{right, left}}
			continue
		}
		left = &node{op: op, args: []*node{left, right}}
	}
	return nil
}

func (p *parser) unary() *node {
	minus := p.symbol("-") != ""
	if !minus {
		if m, n := p.phrase(p.at, roleOperator); n > 0 && m.value == "-" {
			p.at, minus = p.at+n, true
		}
	}
	if minus {
		if p.depth++; p.depth > maxDepth {
			return nil
		}
		defer func() { p.depth-- }()
		if x := p.unary(); x != nil {
			return &node{op: "neg", args: []*node{x}}
		}
		return nil
	}
	return p.power()
}

func (p *parser) power() *node {
	base := p.suffixed()
	if base == nil {
		return nil
	}
	from := p.at
	if p.operator("^") == "" {
		return base
	}
	exponent := p.unary()
	if exponent == nil {
		p.at = from
		return base
	}
	return &node{op: "^", args: []*node{base, exponent}}
}

// suffixed reads a number, a function or parentheses, with the suffixes after it.
func (p *parser) suffixed() *node {
	x := p.primary()
	for x != nil {
		s := p.symbol("%", "²", "³", "!")
		if s == "" {
			m, n := p.phrase(p.at, roleSuffix)
			if n == 0 {
				return x
			}
			s = m.value
			p.at += n
		}
		switch s {
		case "²", "³":
			exponent := big.NewRat(2, 1)
			if s == "³" {
				exponent = big.NewRat(3, 1)
			}
			x = &node{op: "^", args: []*node{x, {value: exponent}}}
			p.calls++
		case "!":
			p.calls++
			fallthrough
		default:
			x = &node{op: s, args: []*node{x}}
		}
	}
	return nil
}

func (p *parser) primary() *node {
	if p.symbol("(") != "" {
		x := p.sum()
		if x == nil || p.symbol(")") == "" {
			return nil
		}
		return x
	}
	name := p.symbol("√", "∛")
	if m, n := p.phrase(p.at, roleFunction); name == "" && n > 0 {
		name = map[string]string{"sqrt": "√", "cbrt": "∛"}[m.value]
		p.at += n
	}
	if name != "" {
		if p.depth++; p.depth > maxDepth {
			return nil
		}
		defer func() { p.depth-- }()
		p.calls++
		if x := p.primary(); x != nil {
			return &node{op: name, args: []*node{x}}
		}
		return nil
	}
	if m, n := p.phrase(p.at, roleMultiple); n > 0 {
		p.at += n
		p.calls++
		if x := p.number(); x != nil {
			return &node{op: "*", args: []*node{{value: mustRat(m.value)}, {value: x}}}
		}
		return nil
	}
	if m, n := p.phrase(p.at, roleFraction); n > 0 {
		r := mustRat(m.value)
		p.at += n
		return &node{op: "/", args: []*node{{value: new(big.Rat).SetInt(r.Num())}, {value: new(big.Rat).SetInt(r.Denom())}}}
	}
	if r := p.number(); r != nil {
		return &node{value: r}
	}
	return nil
}

// number reads digits, number words, or both: 12, twenty-five, 2 million.
func (p *parser) number() *big.Rat {
	if p.at >= len(p.tokens) {
		return nil
	}
	if t := p.tokens[p.at]; t.number != nil {
		p.at++
		r := t.number
		if m, n := p.phrase(p.at, roleNumber); n > 0 {
			if scale := mustRat(m.value); scale.Cmp(big.NewRat(100, 1)) >= 0 {
				p.at += n
				r = new(big.Rat).Mul(r, scale)
			}
		}
		return r
	}
	return p.spelled()
}

// spelled reads a number in words. Its parts get smaller: "two thousand five hundred and three".
func (p *parser) spelled() *big.Rat {
	var total, current, last int64
	found := false
	hundred, scales := int64(100), int64(1000)
	for {
		from := p.at
		if found {
			p.skip(roleJoint)
			if p.at < len(p.tokens) && p.tokens[p.at].text == "-" && p.isTight(p.at) {
				p.at++ // twenty-five
			}
		}
		m, n := p.phrase(p.at, roleNumber)
		v := mustRat(m.value).Num().Int64()
		switch {
		case n == 0, v < hundred && found && (last < 20 || v >= 10) && last < hundred && last != 0, v == 0 && found:
			p.at = from
		case v >= scales:
			if total > 0 && v >= 1_000_000_000_000 {
				p.at = from
				break
			}
			total, current, found, last = total+max(current, 1)*v, 0, true, v
			p.at += n
			continue
		case v == hundred && last > 0 && last < 10:
			current, found, last = current*hundred, true, v
			p.at += n
			continue
		default:
			current, found, last = current+v, true, v
			p.at += n
			continue
		}
		if !found {
			return nil
		}
		return big.NewRat(total+current, 1)
	}
}
