package secrets

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"sync"

	"errand/host/keyfile"
	"errand/planner/plan"
)

// Key is the key of an installation. Without it, a reader of a record could find a short
// secret by hashing all candidates. The zero Key changes no hash.
type Key struct{ load func() []byte }

// Seal returns the HMAC-SHA-256, in hex, of the hash of something that may hold a secret.
func (k Key) Seal(hash string) string {
	if k.load == nil {
		return hash
	}
	mac := hmac.New(sha256.New, k.load())
	mac.Write([]byte(hash))
	return hex.EncodeToString(mac.Sum(nil))
}

// LoadKey returns a function that loads the key in a file at its first use, and creates it
// if it is missing. Where the file can't be used, the key is a random one of this process:
// what it seals is not recognised later. Several goroutines may call the function.
func LoadKey(file string) func() []byte {
	return sync.OnceValue(func() []byte {
		if file != "" {
			if key, err := keyfile.Open(file); err == nil {
				return key
			}
		}
		key := make([]byte, keyfile.Size)
		_, _ = rand.Read(key) // it never fails
		return key
	})
}

// sealPlanID replaces each plan_id in a cleaned document whose words have lost a secret,
// because a plan_id is a hash of the words. was is the document before it was cleaned.
func (c Cleaner) sealPlanID(was, clean any) {
	switch clean := clean.(type) {
	case map[string]any:
		before, _ := was.(map[string]any)
		if id, ok := clean["plan_id"].(string); ok && id != "" && c.lostWords(before, clean) {
			clean["plan_id"] = "p-" + plan.ShortHash(c.key.Seal(id))
		}
		for name, v := range clean {
			c.sealPlanID(before[name], v)
		}
	case []any:
		before, _ := was.([]any)
		for i := range clean {
			if i < len(before) {
				c.sealPlanID(before[i], clean[i])
			}
		}
	}
}

// lostWords reports whether the words in an object with a plan_id were cleaned: of a plan,
// a proposal or a draft.
func (Cleaner) lostWords(was, clean map[string]any) bool {
	for _, name := range []string{"inputs", "words", "goal"} {
		if !reflect.DeepEqual(was[name], clean[name]) {
			return true
		}
	}
	return false
}
