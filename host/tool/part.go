package tool

import (
	"crypto/sha256"
	"encoding/hex"
)

// PartName returns the name of the temporary file or folder of the call with a key. A call writes it beside what it makes, which gets its own name when it is
// whole. The same call has the same name in another attempt, so that nothing is left for good.
func PartName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return ".errand-" + hex.EncodeToString(sum[:10]) + ".part"
}
