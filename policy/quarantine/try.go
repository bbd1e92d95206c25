package quarantine

import (
	"strings"
	"sync"
)

// try is how one indexed rule is doing in a view. Trying a pattern at every
// word that may begin it is most of what a scan costs, so nothing is tried that
// a cheaper look rules out.
type try struct {
	used  bool
	tried int // no place before it is to be tried any more

	// needs are the places of the literals of which each match has one, by
	// rising place; the first next of them lie behind.
	needs []int32
	next  int

	// What was seen last and what came of it: text that repeats itself is
	// matched once.
	rest  string
	found []int
}

// match matches r at text[pos]. Calls come with rising pos.
func (t *try) match(r *rule, text string, pos int) []int {
	rest := text[pos:min(len(text), pos+ahead)]
	if r.contents != nil {
		for t.next < len(t.needs) && int(t.needs[t.next]) < pos {
			t.next++
		}
		if t.next == len(t.needs) || int(t.needs[t.next]) >= pos+len(rest) {
			return nil
		}
	}
	if rest != t.rest {
		t.rest, t.found = rest, r.pattern.Get().FindStringSubmatchIndex(rest)
	}
	return t.found
}

// tries are those of one view by rule. They are kept for the next one: a page
// has thousands of small views, and most use few rules.
type tries struct {
	all  []try
	used []int
}

var oldTries = sync.Pool{New: func() any { return new(tries) }}

func newTries(b *book) *tries {
	t := oldTries.Get().(*tries)
	if t.all == nil {
		t.all = make([]try, len(b.rules))
	}
	return t
}

func (t *tries) of(rule int) *try {
	one := &t.all[rule]
	if !one.used {
		one.used = true
		t.used = append(t.used, rule)
	}
	return one
}

func (t *tries) release() {
	for _, rule := range t.used {
		t.all[rule] = try{needs: t.all[rule].needs[:0]}
	}
	t.used = t.used[:0]
	oldTries.Put(t)
}

// index finds the literals that rules need, by their first two bytes.
type index struct {
	slot  [1 << 16]uint16 // 0: no literal begins so
	slots [][]needed
}

// needed is a literal and the rules that need it or another one.
type needed struct {
	literal string
	rules   []int
}

func (x *index) add(rule int, literals []string) {
	for _, l := range literals {
		key := uint16(l[0])<<8 | uint16(l[1])
		if x.slot[key] == 0 {
			x.slots = append(x.slots, nil)
			x.slot[key] = uint16(len(x.slots))
		}
		slot := &x.slots[x.slot[key]-1]
		known := false
		for i := range *slot {
			if n := &(*slot)[i]; n.literal == l {
				n.rules, known = append(n.rules, rule), true
			}
		}
		if !known {
			*slot = append(*slot, needed{l, []int{rule}})
		}
	}
}

// each calls found with the place of each literal in text and a rule that
// needs it, by rising place.
func (x *index) each(text string, found func(rule, pos int)) {
	for i := 0; i+1 < len(text); i++ {
		slot := x.slot[uint16(text[i])<<8|uint16(text[i+1])]
		if slot == 0 {
			continue
		}
		for _, n := range x.slots[slot-1] {
			if strings.HasPrefix(text[i:], n.literal) {
				for _, r := range n.rules {
					found(r, i)
				}
			}
		}
	}
}
