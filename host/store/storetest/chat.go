package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"errand/host/store"
	"errand/host/trace/tracetest"
	"errand/policy/approval"
)

// Chats tests that a code pairs one chat, and that of several programs one takes up an update.
func Chats(t *testing.T, place Place) {
	now := tracetest.Start
	open := place(t, func() time.Time { return now })
	one, other := open(), open()
	pair := func(hash string, chat int64, at time.Time) bool {
		t.Helper()
		paired, err := other.PairChat(t.Context(), hash, store.Chat{Bot: 1, ID: chat, Name: "ann", PairedAt: at})
		if err != nil {
			t.Fatal(err)
		}
		return paired
	}
	save := func(hash string) {
		t.Helper()
		if err := one.SavePairing(t.Context(), store.Pairing{Hash: hash, Expires: now.Add(time.Minute), Attempts: 2}); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		pair func() bool
		want bool
	}{
		{"without a code", func() bool { return pair("a", 5, now) }, false},
		{"the code", func() bool { save("a"); return pair("a", 5, now) }, true},
		{"it is used up", func() bool { return pair("a", 6, now) }, false},
		{"an expired code", func() bool { save("b"); return pair("b", 6, now.Add(time.Minute)) }, false},
		{"a replaced code", func() bool { save("c"); return pair("b", 6, now) }, false},
		{"after one wrong code", func() bool { return pair("c", 7, now) }, true},
		{"after two wrong codes", func() bool { save("d"); pair("x", 6, now); pair("y", 6, now); return pair("d", 6, now) }, false},
	}
	for _, tt := range tests {
		if got := tt.pair(); got != tt.want {
			t.Errorf("%s: paired %t, want %t", tt.name, got, tt.want)
		}
	}
	list, err := one.Chats(t.Context())
	if got := fmt.Sprint(len(list), err); got != "2 <nil>" || list[0].ID != 5 || !list[0].PairedAt.Equal(now) {
		t.Errorf("chats = %+v, %v", list, err)
	}
	if here, err := other.IsPaired(t.Context(), 1, 5); !here || err != nil {
		t.Errorf("paired: %t, %v", here, err)
	}
	if elsewhere, err := other.IsPaired(t.Context(), 2, 5); elsewhere || err != nil {
		t.Errorf("paired with another bot: %t, %v", elsewhere, err)
	}
	for _, want := range []bool{true, false} {
		if unpaired, err := one.UnpairChat(t.Context(), 5); unpaired != want || err != nil {
			t.Errorf("unpaired: %t, %v", unpaired, err)
		}
	}
	if paired, err := other.IsPaired(t.Context(), 1, 5); paired || err != nil {
		t.Errorf("paired after the end: %t, %v", paired, err)
	}
	claimAtOnce(t, one, other, now)
}

// claimAtOnce claims an update in several programs at once.
func claimAtOnce(t *testing.T, one, other store.Store, now time.Time) {
	t.Helper()
	var claims atomic.Int64
	var all sync.WaitGroup
	for _, s := range []store.Store{one, other, one, other} {
		all.Go(func() {
			claimed, err := s.ClaimUpdate(t.Context(), store.ChatUpdate{Bot: 1, ID: 9, Chat: 7, At: now, Ref: "r1"})
			if err != nil {
				t.Error(err)
			}
			if claimed {
				claims.Add(1)
			}
		})
	}
	all.Wait()
	if claims.Load() != 1 {
		t.Errorf("%d claims, want 1", claims.Load())
	}
	if claimed, err := one.ClaimUpdate(t.Context(), store.ChatUpdate{Bot: 2, ID: 9, Chat: 7, At: now}); !claimed || err != nil {
		t.Errorf("that of another bot: %t, %v", claimed, err)
	}
	left, err := other.UnsettledUpdates(t.Context(), 1)
	if err != nil || len(left) != 1 || left[0].Ref != "r1" || left[0].Chat != 7 {
		t.Errorf("unsettled: %+v, %v", left, err)
	}
	if err := one.SettleUpdate(t.Context(), 1, 9); err != nil {
		t.Error(err)
	}
	if left, err := other.UnsettledUpdates(t.Context(), 1); err != nil || len(left) != 0 {
		t.Errorf("unsettled after its end: %+v, %v", left, err)
	}
	if claimed, err := one.ClaimUpdate(t.Context(), store.ChatUpdate{Bot: 1, ID: 9, Chat: 7, At: now.Add(24 * time.Hour)}); claimed || err != nil {
		t.Errorf("a settled update was claimed again: %t, %v", claimed, err)
	}
}

// Callbacks tests that a press is kept with the change of its draft, both or neither.
func Callbacks(t *testing.T, place Place) {
	open := place(t, time.Now)
	one, other := open(), open()
	d := store.Draft{RunID: "r1", Draft: approval.Draft{ID: "d1", State: approval.StateDraft, CreatedAt: tracetest.Start, ExpiresAt: tracetest.Start}}
	e := d
	e.ID = "d2"
	for _, d := range []store.Draft{d, e} {
		if err := one.SaveDraft(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	moved := d
	moved.State, moved.Callback = approval.StateCancelled, store.Callback{Key: "k", Action: "cancel"}
	if err := one.SwapDraft(t.Context(), e, moved); codeOf(err) != store.CodeDraftMoved {
		t.Errorf("a change of another draft: %v", err)
	}
	if _, found, err := other.Callback(t.Context(), "k"); found || err != nil {
		t.Errorf("a press without a change was kept: %v", err)
	}
	if err := one.SwapDraft(t.Context(), d, moved); err != nil {
		t.Error(err)
	}
	c, found, err := other.Callback(t.Context(), "k")
	if want := (store.Callback{Key: "k", DraftID: "d1", Action: "cancel", State: string(approval.StateCancelled)}); c != want || !found || err != nil {
		t.Errorf("press = %+v, %t, %v, want %+v", c, found, err, want)
	}
	again := e
	again.State, again.Callback = approval.StateCancelled, store.Callback{Key: "k", Action: "cancel"}
	if err := other.SwapDraft(t.Context(), e, again); codeOf(err) != store.CodeKeyTaken {
		t.Errorf("the key of another press: %v", err)
	}
	if kept, err := one.Draft(t.Context(), "d2"); err != nil || kept.State != approval.StateDraft {
		t.Errorf("a refused press changed its draft to %s, %v", kept.State, err)
	}
}
