package queue

import (
	"context"
	"strings"
	"time"

	"errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

const tokenColumns = "token_id,name,signing,scopes,created_at,revoked_at"

// tokens returns the tokens that a condition selects.
func (q *Queue) tokens(ctx context.Context, condition string, args ...any) ([]jobs.Token, error) {
	list := []jobs.Token{}
	err := q.query(ctx, "SELECT "+tokenColumns+" FROM errand_tokens WHERE "+condition+" ORDER BY token_id DESC", args, func(scan scan) error {
		var t jobs.Token
		var scopes string
		var created, revoked int64
		if err := scan(&t.ID, &t.Name, &t.Signing, &scopes, &created, &revoked); err != nil {
			return err
		}
		for s := range strings.FieldsSeq(scopes) {
			t.Scopes = append(t.Scopes, jobs.Scope(s))
		}
		t.CreatedAt, t.RevokedAt = timeOf(created), timeOf(revoked)
		list = append(list, t)
		return nil
	})
	if err != nil {
		return nil, unavailable(err)
	}
	return list, nil
}

// AddToken implements [jobs.Tokens].
func (q *Queue) AddToken(ctx context.Context, t jobs.Token, hash string) error {
	var scopes []string
	for _, s := range t.Scopes {
		scopes = append(scopes, string(s))
	}
	n, err := q.exec(ctx, `INSERT INTO errand_tokens (token_id, name, hash, signing, scopes, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		t.ID, t.Name, hash, t.Signing, strings.Join(scopes, " "), t.CreatedAt.UnixNano())
	if err != nil {
		return unavailable(err)
	}
	if n == 0 {
		return tool.NewError(tool.ValidationError, jobs.CodeTokenTaken, message.New("jobs.token_taken", "name", t.Name)).WithHint(message.New("jobs.token_taken_hint", "name", t.Name))
	}
	return nil
}

// FindToken implements [jobs.Tokens].
func (q *Queue) FindToken(ctx context.Context, hash string) (jobs.Token, bool, error) {
	list, err := q.tokens(ctx, "hash = $1 AND revoked_at = 0", hash)
	if err != nil || len(list) == 0 {
		return jobs.Token{}, false, err
	}
	return list[0], true, nil
}

// Token implements [jobs.Tokens].
func (q *Queue) Token(ctx context.Context, id string) (jobs.Token, error) {
	list, err := q.tokens(ctx, "token_id = $1", id)
	if err == nil && len(list) == 0 {
		err = tokenNotFound(id)
	}
	if err != nil {
		return jobs.Token{}, err
	}
	return list[0], nil
}

// Tokens implements [jobs.Tokens].
func (q *Queue) Tokens(ctx context.Context) ([]jobs.Token, error) { return q.tokens(ctx, "1 = 1") }

// RevokeToken implements [jobs.Tokens].
func (q *Queue) RevokeToken(ctx context.Context, idOrName string, at time.Time) (jobs.Token, error) {
	list, err := q.tokens(ctx, "(token_id = $1 OR name = $1) AND revoked_at = 0", idOrName)
	if err == nil && len(list) == 0 {
		err = tokenNotFound(idOrName)
	}
	if err != nil {
		return jobs.Token{}, err
	}
	t := list[0]
	t.RevokedAt = at.UTC()
	if _, err := q.exec(ctx, `UPDATE errand_tokens SET revoked_at = $1 WHERE token_id = $2`, at.UnixNano(), t.ID); err != nil {
		return jobs.Token{}, unavailable(err)
	}
	return t, nil
}

func tokenNotFound(name string) *tool.Error {
	return tool.NewError(tool.ValidationError, jobs.CodeTokenNotFound, message.New("jobs.token_not_found", "name", name)).WithHint(message.New("jobs.token_not_found_hint"))
}
