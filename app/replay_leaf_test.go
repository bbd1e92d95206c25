package app

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/app/history"
	"errand/app/history/bundle"
	"errand/app/replay"
	"errand/build/must"
	"errand/build/tier"
)

// unnoticed are the places of a bundle whose change is no difference: times and
// ids, words for people, what follows from other places or decides nothing
// about this run, and what no call was made of.
var unnoticed = regexp.MustCompile(`^(` + strings.Join([]string{
	`/kind|/schema|/events/.*`,
	`/run/(run_id|started_at|duration_ms|actions|state|stop_reason|draft_id|error/.*)`,
	`/setting/base/(version|os)`, // another version's record is held to nothing that its tools' fingerprints say
	`/setting/base/tools/.*`,
	`/setting/base/config/(home|folders/.*)`,
	`/setting/base/config/values/(apps|sites|policy\.(allow_private|allowed_domains|redaction|rules|subresources|user_goal_tools)|files\.roots|run\..*|search\..*)`,
	`/setting/own/(allow/.*|voice/.*|world/.*)`,
	`/steps/\d+/(run_id|duration_ms|fuel|started_at|reason(/.*)?|attempts|artifacts/.*|policy_flags/.*|effect_key|effect|undo/.*)`,
	`/steps/\d+/(payload(/.*)?|facts/\d+)`, // what the tool answered; what tells of it is the run's answer
	`/steps/\d+/error/((message|hint)(/.*)?|recoverable|retriable)`,
}, "|") + `)$`)

var tools = regexp.MustCompile(`^/setting/base/tools/`)

// TestEveryLeafCounts changes every value of a bundle (a quarter of them in the quick tier),
// one at a time: nothing
// breaks or hangs, and what a replay does not notice is on the list above.
func TestEveryLeafCounts(t *testing.T) {
	for _, g := range goals {
		if !slices.Contains([]string{"a folder", "outside of the folders"}, g.name) {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			a, report := g.run(t)
			doc, err := a.Export(t.Context(), report.RunID, history.FormatBundle)
			must.Succeed(t, err)
			var whole any
			must.Succeed(t, json.Unmarshal(doc, &whole))
			// Of another version, whose tools' fingerprints are not held against this
			// one's: they are taken over the order of keys, which is lost here.
			base := whole.(map[string]any)["setting"].(map[string]any)["base"].(map[string]any)
			base["version"] = "0.0.1"
			called := "/setting/base/tools/" + strconv.Itoa(slices.IndexFunc(base["tools"].([]any), func(v any) bool {
				return v.(map[string]any)["name"] == "files.create_folder"
			})) + "/"
			at := rand.IntN(4) // of the sample
			changed, kept := 0, 0
			leaves(whole, "", func(pointer string, set func(any), was any) {
				if tools.MatchString(pointer) && !strings.HasPrefix(pointer, called) {
					return
				}
				for _, value := range others(was) {
					if at++; at%tier.Size(4, 1) != 0 {
						continue
					}
					set(value)
					mutated, err := json.Marshal(whole)
					set(was)
					must.Succeed(t, err)
					changed++
					read, err := bundle.Read(mutated)
					if err != nil {
						continue
					}
					got, err := replay.Run(t.Context(), read.Record(), Version, nil, nil)
					if err == nil && got.IsSame {
						kept++
						if !unnoticed.MatchString(pointer) {
							t.Errorf("%s: %v in place of %v is not noticed", pointer, value, was)
						}
					}
				}
			})
			t.Logf("%d changes, %d unnoticed", changed, kept)
		})
	}
}

// others are values in place of a leaf's.
func others(was any) []any {
	switch v := was.(type) {
	case string:
		if v == "" { // null is read as the empty text
			return []any{"x", 7.0}
		}
		return []any{v + "x", "", nil, 7.0}
	case float64:
		return []any{v + 1, -1.0, nil, "x"}
	case bool:
		return []any{!v, nil}
	}
	return []any{"x", map[string]any{}}
}

// leaves visits every leaf of a JSON tree with a way to set it.
func leaves(v any, pointer string, visit func(pointer string, set func(any), was any)) {
	walk := func(at string, e any, set func(any)) {
		switch e.(type) {
		case map[string]any, []any:
			leaves(e, at, visit)
		default:
			visit(at, set, e)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			walk(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), e, func(n any) { v[key] = n })
		}
	case []any:
		for i, e := range v {
			walk(pointer+"/"+strconv.Itoa(i), e, func(n any) { v[i] = n })
		}
	}
}
