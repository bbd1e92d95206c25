package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"

	"errand/host/tool"
	"errand/host/tool/schema"
)

const (
	maxName        = 64
	maxDescription = 2000
	// sourcePrefix begins [tool.Spec.Source] of servers' tools.
	sourcePrefix = "mcp:"
)

// ToolName joins a prefix, which is the name of the server or toolkit, and a server's own name of
// a tool to a valid name. A name that had to be changed ends with a digest of the own one, so
// that two tools never get one name by that.
func ToolName(prefix, own string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)) {
			return r
		}
		return '-'
	}, own)
	changed := name != own
	name = prefix + "." + name
	if changed || len(name) > maxName {
		sum := sha256.Sum256([]byte(own))
		end := "_" + hex.EncodeToString(sum[:4])
		name = name[:min(len(name), maxName-len(end))] + end
	}
	return name
}

// Spec describes a tool of a server. The class is the user's: read only if the user said so;
// otherwise a call changes something, and may delete or overwrite it.
func (d Definition) Spec(server string, isRead bool, timeoutMS int) tool.Spec {
	s := tool.Spec{
		Name: ToolName(server, d.Name), Description: oneParagraph(d.Description), ArgsSchema: argsSchema(d.InputSchema),
		TimeoutMS: timeoutMS, RetryProfile: tool.RetryNone,
		SideEffectClass: tool.Write, Effect: tool.EffectCommit, MayDestroy: true, Untrusted: true,
		Source: sourcePrefix + server, Digest: d.Pin(),
	}
	if isRead {
		s.SideEffectClass, s.Effect, s.MayDestroy = tool.Read, tool.EffectRead, false
	}
	return s.WithDefaults()
}

// argsSchema closes a schema: arguments that it doesn't name are refused. An invalid schema
// accepts no arguments.
func argsSchema(input json.RawMessage) json.RawMessage {
	var s map[string]json.RawMessage
	if json.Unmarshal(input, &s) != nil || s == nil {
		s = map[string]json.RawMessage{}
	}
	if string(s["type"]) != `"object"` {
		s["type"] = json.RawMessage(`"object"`)
	}
	_, isOpen := s["additionalProperties"]
	_, isOpenToo := s["unevaluatedProperties"]
	if !isOpen && !isOpenToo && !isComposed(s) {
		s["additionalProperties"] = json.RawMessage(`false`)
	}
	b, err := json.Marshal(s)
	if err != nil || schema.Vet(b) != nil {
		return json.RawMessage(`{"type":"object","additionalProperties":false}`)
	}
	return b
}

// isComposed reports whether other schemas in s name arguments: additionalProperties would refuse
// them all.
func isComposed(s map[string]json.RawMessage) bool {
	for _, key := range []string{"allOf", "anyOf", "oneOf", "$ref", "if"} {
		if _, ok := s[key]; ok {
			return true
		}
	}
	return false
}

// oneParagraph replaces line breaks and control characters in a text, and cuts a long one.
func oneParagraph(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if len(s) > maxDescription {
		s = strings.ToValidUTF8(s[:maxDescription], "") + "…"
	}
	return s
}
