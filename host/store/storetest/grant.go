package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/policy"
)

var grantedAt = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func newGrant(id string, scope policy.Scope) store.Grant {
	return store.Grant{
		Grant:     policy.Grant{ID: id, Pattern: "example.org", Scope: scope},
		GrantedAt: grantedAt, GrantedBy: "ann",
	}
}

// Grants tests how grants are kept, used, revoked and removed.
func Grants(t *testing.T, place Place) {
	t.Run("save and revoke", func(t *testing.T) { saveGrants(t, place) })
	t.Run("use", func(t *testing.T) { useGrants(t, place) })
	t.Run("prune", func(t *testing.T) { pruneGrants(t, place) })
}

func saveGrants(t *testing.T, place Place) {
	now := grantedAt.Add(time.Minute)
	open := place(t, func() time.Time { return now })
	s := open()
	a, b := newGrant("01a", policy.Always), newGrant("01b", policy.Once)
	a.Until, a.Tool, b.GrantedAt = grantedAt.Add(time.Hour), "weather.*", grantedAt.Add(1)
	for _, g := range []store.Grant{a, b} {
		if err := s.SaveGrant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveGrant(t.Context(), a); err == nil {
		t.Error("an id is taken twice")
	}
	bad := newGrant("01c", policy.Always)
	bad.Pattern = "http://127.0.0.1"
	if err := s.SaveGrant(t.Context(), bad); codeOf(err) != "bad_grant" {
		t.Errorf("a private address is granted: %v", err)
	}
	if err := s.UseGrant(t.Context(), "01b", "r1", "a1"); err != nil {
		t.Error(err)
	}
	b.Run, b.Call, b.UsedAt = "r1", "a1", now
	again := open() // another program
	got, err := again.Grants(t.Context())
	if diff := cmp.Diff([]store.Grant{b, a}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	revoked, err := again.RevokeGrant(t.Context(), "01A", "bob", now)
	a.RevokedAt, a.RevokedBy = now, "bob"
	if diff := cmp.Diff(a, revoked); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if revoked, err := s.RevokeGrant(t.Context(), "01a", "eve", now.Add(1)); err != nil || revoked.RevokedBy != "bob" {
		t.Errorf("revoked twice: %+v, %v", revoked, err)
	}
	for id, code := range map[string]string{"": store.CodeGrantNotFound, "02": store.CodeGrantNotFound, "01": store.CodeGrantAmbiguous} {
		if _, err := s.RevokeGrant(t.Context(), id, "ann", now); codeOf(err) != code {
			t.Errorf("revoke %q: %v, want %s", id, err, code)
		}
	}
	if open, err := s.OpenGrants(t.Context()); err != nil || len(open) != 1 || open[0] != b.Grant {
		t.Errorf("open: %+v, %v", open, err)
	}
}

// useGrants: a grant for once is used by one call, one for a run by one run, however
// many try at once, and none can be used once it is revoked.
func useGrants(t *testing.T, place Place) {
	s := place(t, time.Now)()
	for _, g := range []store.Grant{newGrant("once", policy.Once), newGrant("run", policy.ForRun)} {
		if err := s.SaveGrant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	got := map[string][]string{}
	var all sync.WaitGroup
	for i := range 12 {
		run, call := fmt.Sprint("r", i%3), fmt.Sprint("a", i/3)
		for _, id := range []string{"once", "run"} {
			all.Go(func() {
				switch err := s.UseGrant(t.Context(), id, run, call); {
				case err == nil:
					mu.Lock()
					got[id] = append(got[id], run)
					mu.Unlock()
				case codeOf(err) != store.CodeGrantGone:
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if len(got["once"]) != 1 {
		t.Errorf("%d calls have what is for once", len(got["once"]))
	}
	if runs := got["run"]; len(runs) != 4 || strings.Count(strings.Join(runs, ""), runs[0]) != 4 {
		t.Errorf("%v have what is for one run", runs)
	}
	grants, err := s.Grants(t.Context())
	if err != nil || len(grants) != 2 {
		t.Fatal(grants, err)
	}
	for _, g := range grants { // a caller that has it may use it again
		if err := s.UseGrant(t.Context(), g.ID, g.Run, g.Call); err != nil {
			t.Errorf("again: %v", err)
		}
		if _, err := s.RevokeGrant(t.Context(), g.ID, "ann", grantedAt); err != nil {
			t.Fatal(err)
		}
		if err := s.UseGrant(t.Context(), g.ID, g.Run, g.Call); codeOf(err) != store.CodeGrantGone {
			t.Errorf("revoked: %v", err)
		}
	}
	if err := s.UseGrant(t.Context(), "none", "r", "a"); codeOf(err) != store.CodeGrantGone {
		t.Errorf("one that is not there: %v", err)
	}
}

// pruneGrants: grants that ended before a time are removed, others stay.
func pruneGrants(t *testing.T, place Place) {
	now := grantedAt
	s := place(t, func() time.Time { return now })()
	ends := newGrant("ends", policy.Always)
	ends.Until = grantedAt.Add(time.Hour)
	for _, g := range []store.Grant{newGrant("stays", policy.Always), ends, newGrant("used", policy.ForRun), newGrant("revoked", policy.Always), newGrant("waits", policy.Once)} {
		if err := s.SaveGrant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.UseGrant(t.Context(), "used", "r1", "a1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokeGrant(t.Context(), "revoked", "ann", now); err != nil {
		t.Fatal(err)
	}
	left := func(before time.Time) (ids string) {
		if _, err := s.Prune(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		grants, err := s.Grants(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range grants {
			ids += g.ID + " "
		}
		return ids
	}
	if got := left(now); got != "waits used stays revoked ends " {
		t.Errorf("left %s", got)
	}
	if got := left(now.Add(2 * time.Hour)); got != "waits stays " {
		t.Errorf("left %s", got)
	}
}
