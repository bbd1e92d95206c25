package drafts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"errand/policy/approval"
)

// maxSnapshots is how many earlier revisions a draft keeps: the first and the newest.
const maxSnapshots = 8

// Snapshot is what a draft showed in an earlier revision.
type Snapshot struct {
	Revision     string            `json:"revision"`
	PolicyDigest string            `json:"policy_digest"`
	Actions      []approval.Action `json:"actions"`
}

// Revision names what the draft shows, whichever of its actions are done.
func (h Draft) Revision() string {
	b, err := json.Marshal([]any{h.PlanDigest, h.PolicyDigest, h.Actions, h.Answers})
	if err != nil { // it was read from JSON
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return h.key.Seal(hex.EncodeToString(sum[:]))[:12]
}

// keepSnapshot adds what was shown before to the earlier revisions, if something else is
// shown now. A draft without a plan, or whose plan waited for an answer, had nothing to approve.
func (h *Draft) keepSnapshot(was Draft) {
	if len(was.Actions) == 0 || was.Stale || was.Revision() == h.Revision() {
		return
	}
	earlier := append(slices.Clone(was.Proposal.Earlier), Snapshot{was.Revision(), was.PolicyDigest, was.Actions})
	if len(earlier) > maxSnapshots {
		earlier = slices.Delete(earlier, 1, 2)
	}
	h.Proposal.Earlier = earlier
}

// ChangesSince lists the differences between an earlier revision of the draft and what
// it shows now; none where nothing of that revision was kept, or nothing differs that a
// person can read. Actions that were rejected or done meanwhile are no differences.
func (h Draft) ChangesSince(revision string) []Change {
	i := slices.IndexFunc(h.Proposal.Earlier, func(s Snapshot) bool { return s.Revision == revision })
	if i < 0 {
		return nil
	}
	was := h.Proposal.Earlier[i]
	return compare(was, Snapshot{h.Revision(), h.PolicyDigest, h.Actions})
}
