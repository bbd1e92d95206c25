package install

import (
	"fmt"
	"slices"
	"strings"

	"aead.dev/minisign"

	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Trust configures which signatures count.
type Trust struct {
	Keys       []string // minisign public keys: the line that starts with RW, or the whole file
	PluginKeys []string // more keys, which the user trusts for one plugin only
	Require    bool     // refuse unsigned plugins
}

// Signature describes who signed a plugin. The zero value means unsigned.
type Signature struct {
	Signer      string          `json:"signer,omitempty"`  // the key's id in hex; "": not signed by a key that is trusted
	Key         string          `json:"key,omitempty"`     // the public key
	Comment     string          `json:"comment,omitempty"` // the trusted comment, which is signed too
	IsPluginKey bool            `json:"-"`                 // its key is one of [Trust.PluginKeys] alone
	Note        message.Message `json:"note"`
}

// signatureNames returns the possible names of signature files, for the manifest
// (two names) and for the module.
func (b *Bundle) signatureNames() []string {
	return []string{"plugin.minisig", manifest.File + ".minisig", b.Manifest.Module + ".minisig"}
}

// Verify checks a plugin's signatures with the trusted keys. An invalid signature
// of a trusted key is an error. If signatures are required, so is a missing one or
// one of another key.
//
// A plugin counts as signed if its manifest is signed and contains the module's
// digest. A signature of the module alone does not cover the rights in the
// manifest.
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
			return Signature{}, refusedError("bad_signature", message.New("install.bad_signature", "name", name, "plugin", b.Manifest.ID, "cause", message.Verbatim(strings.TrimPrefix(err.Error(), "minisign: ")))).
				WithHint(message.New("install.get_again_or_remove_signature"))
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
			return Signature{}, refusedError("bad_signature", message.New("install.signature_of_other_files", "name", name, "plugin", b.Manifest.ID, "key", keyID(s.KeyID))).
				WithHint(message.New("install.get_again_from_author"))
		}
		found = Signature{Signer: keyID(s.KeyID), Key: key.String(), Comment: s.TrustedComment, IsPluginKey: !trust.Includes(key.String())}
		if i < len(names)-1 && b.Manifest.SHA256 != "" {
			whole = found
		}
	}
	switch {
	case whole.Signer != "":
		whole.Note = message.New("install.signed_by", "key", whole.Signer)
		return whole, nil
	case found.Signer != "":
		found.Note = message.New("install.signed_in_part", "key", found.Signer, "file", manifest.File)
	case stranger != "":
		found.Note = message.New("install.signed_by_untrusted", "key", stranger)
	default:
		found.Note = message.New("install.not_signed")
	}
	if trust.Require {
		return Signature{}, refusedError("unsigned", message.New("install.signature_required", "plugin", b.Manifest.ID, "signature", found.Note)).
			WithHint(message.New("install.add_key"))
	}
	return Signature{Note: found.Note}, nil
}

// keys returns the trusted keys by id.
func (t Trust) keys() (map[uint64]minisign.PublicKey, error) {
	keys := map[uint64]minisign.PublicKey{}
	for _, text := range slices.Concat(t.PluginKeys, t.Keys) {
		key, err := ParseKey(text)
		if err != nil {
			return nil, err
		}
		keys[key.ID()] = key
	}
	return keys, nil
}

// Includes reports whether key is one of t.Keys.
func (t Trust) Includes(key string) bool {
	return slices.ContainsFunc(t.Keys, func(text string) bool {
		trusted, err := ParseKey(text)
		return err == nil && trusted.String() == key
	})
}

// ParseKey parses a minisign public key.
func ParseKey(text string) (minisign.PublicKey, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
		return key, refusedError("bad_key", message.New("install.bad_key", "text", fmt.Sprintf("%.80s", text))).WithHint(message.New("install.key_line"))
	}
	return key, nil
}

// keyID formats an id like the minisign program.
func keyID(id uint64) string { return fmt.Sprintf("%016X", id) }
