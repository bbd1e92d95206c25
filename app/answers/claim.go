package answers

import (
	"strings"

	"errand/planner/message"
)

// WithClaim is a summary of a call with what somebody else says about the call, marked as
// theirs.
func WithClaim(summary message.Message, claim string) message.Message {
	return claimed(summary, ShortenClaim(claim))
}

// ShortenClaim puts what somebody else says on one line and shortens it. The texts quote it.
func ShortenClaim(claim string) string {
	line := []rune(strings.Join(strings.Fields(claim), " "))
	if len(line) > maxValueRunes {
		return string(line[:maxValueRunes]) + "…"
	}
	return string(line)
}

// ClaimIn returns what somebody else says about a call with a summary of [WithClaim], marked
// as theirs.
func ClaimIn(summary message.Message) (message.Message, bool) {
	if _, ok := cutClaim(summary); !ok {
		return message.Message{}, false
	}
	return message.New("answer.claim", "claim", summary.Params["claim"]), true
}

func claimed(summary message.Message, claim any) message.Message {
	return message.New("answer.call_claimed", "summary", summary, "claim", claim)
}

// cutClaim returns the summary without the claim.
func cutClaim(summary message.Message) (message.Message, bool) {
	inner, ok := summary.Params["summary"].(message.Message)
	return inner, ok && summary.Code == "answer.call_claimed"
}
