package install

import (
	"fmt"
	"strings"

	"aead.dev/minisign"

	"errand/host/wasm/manifest"
)

// Trust is whose word counts.
type Trust struct {
	Keys    []string // minisign public keys: the line that begins with RW, or the whole file
	Require bool     // nothing unsigned is installed or loaded
}

// Signature is what is known of who signed a plugin. The zero value is: nobody.
type Signature struct {
	Signer  string `json:"signer,omitempty"`  // the key's id in hex; "": not signed by a key that is trusted
	Key     string `json:"key,omitempty"`     // the public key
	Comment string `json:"comment,omitempty"` // the trusted comment, which is signed too
	Note    string `json:"note"`              // for the person
}

// signatureNames are the files that may hold signatures: of the manifest, by
// either name, and of the module.
func (b *Bundle) signatureNames() []string {
	return []string{"plugin.minisig", manifest.File + ".minisig", b.Manifest.Module + ".minisig"}
}

// Verify holds a plugin's signatures against trusted keys. A signature that a
// trusted key should have made and did not is an error; so is a missing one, or
// one of another key, where signatures are required.
//
// A plugin is signed if its manifest is and pins the module: a signature of the
// module alone says nothing of the rights that the manifest asks for.
func (b *Bundle) Verify(trust Trust) (Signature, error) {
	keys, err := trust.keys()
	if err != nil {
		return Signature{}, err
	}
	names := b.signatureNames()
	var found, whole Signature
	stranger := ""
	for i, name := range names {
		text, ok := b.files[name]
		if !ok {
			continue
		}
		var s minisign.Signature
		if err := s.UnmarshalText(text); err != nil {
			return Signature{}, refused("bad_signature", "%s of plugin %s is no minisign signature: %v", name, b.Manifest.ID, strings.TrimPrefix(err.Error(), "minisign: ")).
				WithHint("get the plugin again from its author, or take the file away: then it is not signed")
		}
		key, ok := keys[s.KeyID]
		if !ok {
			stranger = keyID(s.KeyID)
			continue
		}
		signed := b.Text()
		if i == len(names)-1 {
			signed = b.Module()
		}
		if !minisign.Verify(key, signed, text) {
			return Signature{}, refused("bad_signature", "%s of plugin %s was not made by key %s for what it stands beside: the plugin was changed after it was signed", name, b.Manifest.ID, keyID(s.KeyID)).
				WithHint("get the plugin again from its author")
		}
		found = Signature{Signer: keyID(s.KeyID), Key: key.String(), Comment: s.TrustedComment}
		if i < len(names)-1 && b.Manifest.SHA256 != "" {
			whole = found
		}
	}
	switch {
	case whole.Signer != "":
		whole.Note = "signed by key " + whole.Signer
		return whole, nil
	case found.Signer != "":
		found.Note = fmt.Sprintf("only a part is signed by key %s: sign %s, with the module's sha256 in it", found.Signer, manifest.File)
	case stranger != "":
		found.Note = fmt.Sprintf("signed by key %s, which is not among your trusted keys", stranger)
	default:
		found.Note = "not signed"
	}
	if trust.Require {
		return Signature{}, refused("unsigned", "plugin %s is %s, and your config requires a signature", b.Manifest.ID, found.Note).
			WithHint("add the author's key to trusted_keys in [plugins], or give it with --key")
	}
	return Signature{Note: found.Note}, nil
}

// keys are the trusted keys by their ids.
func (t Trust) keys() (map[uint64]minisign.PublicKey, error) {
	keys := map[uint64]minisign.PublicKey{}
	for _, text := range t.Keys {
		key, err := ParseKey(text)
		if err != nil {
			return nil, err
		}
		keys[key.ID()] = key
	}
	return keys, nil
}

// ParseKey reads a minisign public key.
func ParseKey(text string) (minisign.PublicKey, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
		return key, refused("bad_key", "%.80q is no minisign public key", text).WithHint("it is the line of minisign.pub that begins with RW")
	}
	return key, nil
}

// keyID is an id as the minisign program prints it.
func keyID(id uint64) string { return fmt.Sprintf("%016X", id) }
