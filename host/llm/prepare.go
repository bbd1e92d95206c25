package llm

import (
	"slices"
	"strconv"
)

// maxCallID is the longest id of a call that every provider takes.
const maxCallID = 40

// missingResult is the content of the result of a call that has none. Providers refuse a
// conversation with such a call.
const missingResult = `{"ok":false,"error":{"code":"no_result"}}`

// PrepareMessages returns a conversation that every provider takes: without empty messages,
// with unique ids of calls in the spelling of all providers, and with one tool message after
// each message with calls, which has a result for each of them in their order. Results that
// belong to no call are left out. It does not change its argument.
func PrepareMessages(messages []Message) []Message {
	var out []Message
	taken := map[string]bool{}
	for i, m := range messages {
		switch {
		case m.Role == Tool: // follows its calls, below
		case len(m.Calls) > 0:
			var results []Result
			for _, next := range messages[i+1:] {
				if next.Role != Tool {
					break
				}
				results = append(results, next.Results...)
			}
			calls := slices.Clone(m.Calls)
			answers := make([]Result, len(calls))
			for j := range calls {
				answers[j] = Result{Content: missingResult, IsError: true}
				if k := slices.IndexFunc(results, func(r Result) bool { return r.CallID == calls[j].ID }); k >= 0 {
					answers[j] = results[k]
					results = slices.Delete(results, k, k+1)
				}
				calls[j].ID = uniqueID(calls[j].ID, taken)
				answers[j].CallID, answers[j].Name = calls[j].ID, calls[j].Name
			}
			m.Calls = calls
			out = append(out, m, Message{Role: Tool, Results: answers})
		case m.Text != "":
			out = append(out, m)
		}
	}
	return out
}

// uniqueID returns an id in the spelling of all providers that is not taken, and takes it.
func uniqueID(id string, taken map[string]bool) string {
	base := spell(id)
	if base == "" {
		base = "call"
	}
	base = base[:min(len(base), maxCallID)]
	id = base
	for n := 2; taken[id]; n++ {
		suffix := "_" + strconv.Itoa(n)
		id = base[:min(len(base), maxCallID-len(suffix))] + suffix
	}
	taken[id] = true
	return id
}

// CompleteIDs gives the calls of an answer to r that have no id, or one that is not unique,
// an id of their own. It is the same for the same conversation.
func CompleteIDs(r Request, calls []Call) {
	taken, turn := map[string]bool{}, 1
	for _, m := range r.Messages {
		if m.Role == Assistant {
			turn++
		}
		for _, c := range m.Calls {
			taken[c.ID] = true
		}
	}
	for i := range calls {
		if calls[i].ID == "" || taken[calls[i].ID] {
			calls[i].ID = uniqueID("call_"+strconv.Itoa(turn)+"_"+strconv.Itoa(i+1), taken)
		}
		taken[calls[i].ID] = true
	}
}
