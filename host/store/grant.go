package store

import (
	"cmp"
	"context"
	"time"

	"errand/policy"
)

// Grants keeps grants.
type Grants interface {
	// SaveGrant keeps a new grant. An invalid one is an error.
	SaveGrant(ctx context.Context, g Grant) error
	// Grants lists all grants, newest first, also those that have ended.
	Grants(ctx context.Context) ([]Grant, error)
	// OpenGrants lists the grants that are not revoked, oldest first. Those with an end
	// in the past are among them, because policy has the time of each request.
	OpenGrants(ctx context.Context) ([]policy.Grant, error)
	// UseGrant records which run and call use a grant for once or for a run, before
	// anything is done. Of several at once, one succeeds. A grant that is revoked or in
	// use is an error with code grant_gone.
	UseGrant(ctx context.Context, id, run, call string) error
	// RevokeGrant ends a grant, by its id or an unambiguous prefix of it. A grant that
	// was revoked before stays as it is. An unknown one is an error of class
	// validation_error with code grant_not_found.
	RevokeGrant(ctx context.Context, id, by string, at time.Time) (Grant, error)
}

// Grant is a host or a folder that the user allowed, with who did it and what became of it.
type Grant struct {
	policy.Grant
	GrantedAt time.Time `json:"granted_at"`
	GrantedBy string    `json:"granted_by"`
	UsedAt    time.Time `json:"used_at,omitzero"` // when its run first used it; not recorded for a permanent grant
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	RevokedBy string    `json:"revoked_by,omitempty"`
}

// Name returns the host or the folder, as users see it.
func (g Grant) Name() string { return cmp.Or(g.Pattern, g.Folder) }
