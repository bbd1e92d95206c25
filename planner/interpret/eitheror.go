package interpret

import "errand/planner/plan"

// A choice between two commands is never made for the person, though free text
// may hold an "or": "search for trick or treat".

// otherwise asks about another command after an "or" in what seems to be a
// query: "search cats on youtube or open notepad". A question that is searched
// for is a query to its end: "how to run or open a jar".
func (p *webReader) otherwise(verb span, lo, hi int) (question, bool) {
	for i := lo; i < hi && !p.choosing; i++ {
		if p.questionWord(i) {
			break
		}
		or, ok := p.longest(i, hi, kOr)
		if !ok || i == lo {
			continue
		}
		at, _ := p.lead(i+or.n, hi)
		if _, ok := p.longest(at, hi, kSearch, kSearchIn, kOpen, kGo, kCreate, kDelete); !ok {
			continue
		}
		p.choosing = true
		other := p.commands.command(at, hi, false)
		p.choosing = false
		if other.outcome == good && !other.fuzzy {
			return p.choice(span{verb.lo, i}, span{at, p.tail(at, hi, true)}), true
		}
		break
	}
	return question{}, false
}

// correlative reports whether a piece goes on with a choice that the clause
// before it began: «либо на хабре, либо на реддите».
func (p *parser) correlative(cur *clause, pc piece) (question, bool) {
	or, ok := p.longest(pc.lo, pc.hi, kOr)
	if !ok || pc.lo+or.n >= pc.hi {
		return question{}, false
	}
	for i := cur.lo; i < cur.hi; i++ {
		if first, ok := p.longest(i, cur.hi, kOr); ok && first.n == or.n && p.fold(i) == p.fold(pc.lo) {
			return p.choice(span{i + first.n, pc.joint.lo}, span{pc.lo + or.n, p.tail(pc.lo, pc.hi, true)}), i+first.n < pc.joint.lo
		}
	}
	return question{}, false
}

// choice asks which of two stretches of the text is meant.
func (p *Text) choice(one, other span) question {
	q := question{key: "ask_choice", at: span{one.lo, other.hi}}
	for _, s := range []span{one, other} {
		v := p.cut(s.lo, s.hi)
		q.choices = append(q.choices, plan.Choice{Label: v, Value: v})
	}
	return q
}
