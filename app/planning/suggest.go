package planning

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"errand/host/store"
	"errand/host/trace"
	"errand/planner/interpret"
)

// SuggestRequest asks for whole goals in place of a half-typed one.
type SuggestRequest struct {
	Text     string
	Language string // en or ru; counts only where the words don't tell it
	Limit    int    // below 1: none
}

// Suggestion is a goal that half-typed words may become.
type Suggestion struct {
	Text        string
	FromHistory bool // from the history, not from the grammar
	Match       Match
	Uses        int
	LastUsed    time.Time // when it was used last; zero for the grammar's
}

// Match says how the typed words are found in a suggestion. The smaller is the
// nearer.
type Match int

// Matches.
const (
	MatchPrefix Match = iota // it begins with them
	MatchWords               // each of them begins a word of it, in any order
	MatchFuzzy               // their letters are in it, in their order
	noMatch
)

func (m Match) String() string {
	return [...]string{MatchPrefix: "prefix", MatchWords: "words", MatchFuzzy: "fuzzy", noMatch: ""}[m]
}

// Bounds of what is looked at for suggestions.
const (
	maxPast  = 2000                // runs
	maxTyped = 200                 // bytes that are compared
	halfLife = 14 * 24 * time.Hour // after which a use counts half
)

// Suggest offers goals for half-typed words: those of the history first, by how
// well they match and then by how often and how lately they were used, and then
// what the grammar knows. For no words it is the history alone. A goal that can't
// be understood is not offered. The same words, history and time give the same
// list.
func (p *Planner) Suggest(ctx context.Context, r SuggestRequest) ([]Suggestion, error) {
	out := []Suggestion{}
	if r.Limit < 1 || len(r.Text) > maxTyped {
		return out, nil
	}
	past, err := p.pastGoals(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range rank(past, r.Text) {
		if len(out) == r.Limit {
			break
		}
		if !p.hasSecret(s.Text) && p.Interpret(s.Text).Status != interpret.Unsupported {
			out = append(out, s.Suggestion)
		}
	}
	if strings.TrimSpace(r.Text) == "" {
		return out, nil
	}
	for _, text := range p.Complete(r.Text, r.Language, r.Limit) {
		known := slices.ContainsFunc(out, func(s Suggestion) bool { return sameGoal(s.Text, text) })
		if !known && len(out) < r.Limit {
			out = append(out, Suggestion{Text: text})
		}
	}
	return out, nil
}

// goalUse is a goal of the history with its weight: the sum of its uses, each of
// which counts half after every halfLife.
type goalUse struct {
	Suggestion
	weight float64
	folded string
}

// past are the goals of the latest runs, each once.
func (p *Planner) pastGoals(ctx context.Context) ([]goalUse, error) {
	if !store.HasRecord(p.Conf.Paths.Data) { // nothing is opened for it
		return nil, nil
	}
	s, err := p.storage()
	if err != nil {
		return nil, err
	}
	runs, err := s.Runs(ctx, maxPast)
	if err != nil {
		return nil, err
	}
	return gather(runs, p.Now()), nil
}

func gather(runs []trace.Run, now time.Time) []goalUse {
	at := map[string]int{}
	var out []goalUse
	for _, run := range runs { // the newest first: its spelling is the one that is shown
		text := strings.TrimSpace(run.Goal)
		if text == "" || strings.Contains(text, "[redacted:") || strings.HasPrefix(text, "undo ") {
			continue
		}
		key := foldGoal(text)
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key] = i
			out = append(out, goalUse{Suggestion: Suggestion{Text: text, FromHistory: true, LastUsed: run.StartedAt}, folded: key})
		}
		age := max(0, now.Sub(run.StartedAt))
		out[i].Uses++
		out[i].weight += math.Exp2(-float64(age) / float64(halfLife))
	}
	return out
}

// rank keeps what the typed words are found in, the nearest and heaviest first.
func rank(past []goalUse, typed string) []goalUse {
	typed = foldGoal(typed)
	var out []goalUse
	for _, u := range past {
		if u.Match = match(u.folded, typed); u.Match != noMatch {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b goalUse) int {
		return cmp.Or(cmp.Compare(a.Match, b.Match), cmp.Compare(b.weight, a.weight), cmp.Compare(a.folded, b.folded))
	})
	return out
}

// fuzzyFrom is how many letters have to be typed before a loose match counts:
// a few of them are in everything.
const fuzzyFrom = 4

func match(goal, typed string) Match {
	switch {
	case strings.HasPrefix(goal, typed):
		return MatchPrefix
	case eachBegins(strings.Fields(goal), strings.Fields(typed)):
		return MatchWords
	case len([]rune(typed)) >= fuzzyFrom && isSubsequence(goal, typed):
		return MatchFuzzy
	}
	return noMatch
}

// eachBegins reports whether every typed word begins a word of the goal.
func eachBegins(goal, typed []string) bool {
	return !slices.ContainsFunc(typed, func(t string) bool {
		return !slices.ContainsFunc(goal, func(g string) bool { return strings.HasPrefix(g, t) })
	})
}

// isSubsequence reports whether the letters of typed are in goal in their order, not
// spread over more than twice their number.
func isSubsequence(goal, typed string) bool {
	letters := []rune(strings.ReplaceAll(typed, " ", ""))
	in := []rune(strings.ReplaceAll(goal, " ", ""))
	for from := range in {
		if in[from] != letters[0] {
			continue
		}
		n := 0
		for _, r := range in[from:min(len(in), from+2*len(letters))] {
			if r == letters[n] {
				if n++; n == len(letters) {
					return true
				}
			}
		}
	}
	return false
}

func sameGoal(a, b string) bool { return foldGoal(a) == foldGoal(b) }

// foldGoal is a goal as it is compared: without case and extra space.
func foldGoal(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), unicode.IsSpace), " ")
}
