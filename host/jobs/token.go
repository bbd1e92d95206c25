package jobs

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Scope is something that a token allows.
type Scope string

// Scopes.
const (
	// ScopeRead allows to read all jobs.
	ScopeRead Scope = "read"
	// ScopeRun allows to create jobs, and to read and cancel those of the token.
	ScopeRun Scope = "run"
	// ScopeMCP allows to use the tools, and to run goals, over MCP.
	ScopeMCP Scope = "mcp"
)

// Scopes lists all scopes.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeRun, ScopeMCP} }

// Token is a token as it is kept: without the secret.
type Token struct {
	ID        string    `json:"token_id"`
	Name      string    `json:"name"`
	Scopes    []Scope   `json:"scopes"`
	CreatedAt time.Time `json:"created_at"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	// Signing is the secret that signs callbacks to the token's client.
	Signing string `json:"-"`
}

// Allows reports whether the token has a scope.
func (t Token) Allows(s Scope) bool { return t.RevokedAt.IsZero() && slices.Contains(t.Scopes, s) }

// Tokens keeps tokens.
type Tokens interface {
	// AddToken keeps a new token with the hash of its secret. The error has the code token_taken
	// if another token that counts has the name.
	AddToken(ctx context.Context, t Token, hash string) error
	// FindToken returns the token with the hash of a secret, unless it was revoked. ok is false if
	// there is none.
	FindToken(ctx context.Context, hash string) (t Token, ok bool, err error)
	// Token returns a token by its id, also a revoked one. The error has the code token_not_found
	// if there is none.
	Token(ctx context.Context, id string) (Token, error)
	// Tokens lists the tokens, the newest first.
	Tokens(ctx context.Context) ([]Token, error)
	// RevokeToken ends a token, by its id or name. The error has the code token_not_found if no
	// token that counts has it.
	RevokeToken(ctx context.Context, idOrName string, at time.Time) (Token, error)
}

// tokenBegin begins secrets, so that people and scanners recognise them.
const tokenBegin = "errand_"

// NewSecret returns the secret of a new token, and NewSigning that which signs its callbacks.
func NewSecret() string { return tokenBegin + randomText() }

// NewSigning returns a secret that signs callbacks.
func NewSigning() string { return "errand_sign_" + randomText() }

func randomText() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// HashSecret returns the hash under which a token's secret is kept. A secret has 256 random bits,
// so that a plain hash tells nothing about it.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// ParseScopes reads the names of scopes. Without any the error says which there are.
func ParseScopes(names []string) ([]Scope, error) {
	var out []Scope
	for _, name := range names {
		s := Scope(strings.TrimSpace(name))
		if !slices.Contains(Scopes(), s) {
			return nil, tool.NewError(tool.ValidationError, "unknown_scope", message.New("jobs.unknown_scope", "name", name, "known", Scopes()))
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, tool.NewError(tool.ValidationError, "unknown_scope", message.New("jobs.no_scope", "known", Scopes()))
	}
	return out, nil
}

// maxTokenName is the greatest length of a token's name.
const maxTokenName = 64

// CheckTokenName checks the name of a new token.
func CheckTokenName(name string) error {
	if name == "" || len(name) > maxTokenName || strings.ContainsFunc(name, func(r rune) bool { return !isNameRune(r) }) {
		return tool.NewError(tool.ValidationError, "bad_token_name", message.New("jobs.bad_token_name", "limit", maxTokenName))
	}
	return nil
}

func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)
}
