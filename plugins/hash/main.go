//go:build wasip1

// The hash plugin: digests of texts.
package main

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"

	"errand/plugins/guest"
)

type text struct {
	Input string `json:"input"`
}

func main() {
	guest.Main(map[string]guest.Tool{
		"hash.sha256": guest.With(func(t text) (guest.Answer, error) {
			sum := sha256.Sum256([]byte(t.Input))
			return digest("sha256", sum[:]), nil
		}),
		"hash.md5": guest.With(func(t text) (guest.Answer, error) {
			sum := md5.Sum([]byte(t.Input))
			return digest("md5", sum[:]), nil
		}),
	})
}

func digest(algorithm string, sum []byte) guest.Answer {
	return guest.Answer{Payload: map[string]string{"hash": hex.EncodeToString(sum), "algorithm": algorithm}}
}
