package initiator

import "testing"

func TestRing(t *testing.T) {
	r := NewRing[string, int](3)
	for i, k := range []string{"a", "b", "c", "a", "d"} {
		r.Put(k, i)
	}
	for k, want := range map[string]int{"b": 1, "c": 2, "d": 4} {
		if got, ok := r.Get(k); !ok || got != want {
			t.Errorf("get(%s) = %d, %t", k, got, ok)
		}
	}
	if _, ok := r.Get("a"); ok || len(r.values) != 3 {
		t.Errorf("the oldest is still there: %v", r.values)
	}
}
