package calc

// everyday reads "20% tip on 45 dollars" and "split 90 dollars between 4 people", up to the last
// token. The answer is a number without the currency.
func (r *reader) everyday() (Calculation, bool) {
	start := r.at
	for _, read := range []func() *node{r.tip, r.split} {
		r.at = start
		if x := read(); x != nil && r.at == len(r.tokens) {
			return Calculation{sum: x}, true
		}
	}
	return Calculation{}, false
}

// tip reads "20% tip on 45" and "tip on 45 at 20%".
func (r *reader) tip() *node {
	r.skip(roleArticle)
	if r.skip(roleTip) {
		amount := r.money()
		if amount == nil || !r.skip(roleAt) {
			return nil
		}
		return times(r.percent(), amount)
	}
	part := r.percent()
	if part == nil || !r.skip(roleTip) {
		return nil
	}
	return times(part, r.money())
}

// split reads "split [a bill of] 90 between 4 people" and "90 split 4 ways".
func (r *reader) split() *node {
	first := r.skip(roleSplit)
	all := r.money()
	if all == nil || !first && !r.skip(roleSplit) {
		return nil
	}
	joined := r.skip(roleAmong)
	n := r.number()
	if n == nil || !r.skip(roleShare) && !(first && joined) {
		return nil
	}
	return &node{op: "/", args: []*node{all, {value: n}}}
}

// percent reads "20%".
func (r *reader) percent() *node {
	n := r.number()
	if n == nil {
		return nil
	}
	if r.symbol("%") == "" {
		m, length := r.phrase(r.at, roleSuffix)
		if length == 0 || m.value != "%" {
			return nil
		}
		r.at += length
	}
	return &node{op: "%", args: []*node{{value: n}}}
}

// money reads "$45" and "45 dollars", with or without the currency.
func (r *reader) money() *node {
	r.symbol("$")
	n := r.number()
	if n == nil {
		return nil
	}
	if r.symbol("$") == "" {
		r.skip(roleMoney)
	}
	return &node{value: n}
}

func times(a, b *node) *node {
	if a == nil || b == nil {
		return nil
	}
	return &node{op: "*", args: []*node{a, b}}
}
