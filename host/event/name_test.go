package event_test

import (
	"slices"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/event"
)

func TestNames(t *testing.T) {
	long := "cld:" + strings.Repeat("a.B.1/", event.MaxDepth)
	valid := []string{
		"cld:common.Conversation.hash0001",
		"cld:common.Conversation.hash0001/common.MessageV2.hash0002/plan.Task.hash0003/plan.Task.hash0004",
		"cld:run.01kjmma2g0dq4v7x8m2c5n9p3r/step.a1", "cld:a.B.tg:callback:42", "cld:a.B." + event.ID("../etc/\x00passwd ü"),
		long[:len(long)-1],
	}
	for _, s := range valid {
		if _, err := event.ParseName(s); err != nil {
			t.Errorf("%s is refused: %v", s, err)
		}
	}
	invalid := []string{
		"", "cld:", "cld:/", "a.B.1", "CLD:a.B.1", "urn:a.B.1", "cld:a", "cld:a.", "cld:.1", "cld:a..1", "cld:a.B.1/", "cld:/a.B.1", "cld:a.B.1//c.D.2",
		"cld:a.B.1/..", "cld:a.B.1/../c.D.2", "cld:a.B.", "cld:a.B. ", "cld:a.B.1\n", "cld:a.B.\x00", "cld:a.B.\u202e1", "cld:a.B.\xff", "cld:a.B.ü", `cld:a.B.1\2`,
		"cld:a-b.1", "cld:a.B.1%2f", "cld:a.B.*", long + "a.B.1", "cld:a.B." + strings.Repeat("1", event.MaxName),
	}
	for _, s := range invalid {
		_, err := event.ParseName(s)
		wantRefused(t, s, err, "")
	}
}

func TestNameParts(t *testing.T) {
	run, err := root("errand.Run", "r1")
	must.Succeed(t, err)
	step, err := run.Child("Step", "a1")
	must.Succeed(t, err)
	if step != "cld:errand.Run.r1/Step.a1" || step.Parent() != run || run.Parent() != "" {
		t.Errorf("step %q, its parent %q, its parent's %q", step, step.Parent(), run.Parent())
	}
	if run.Kind() != "errand.Run" || run.ID() != "r1" || step.Kind() != "Step" || step.ID() != "a1" {
		t.Errorf("parts: %q %q, %q %q", run.Kind(), run.ID(), step.Kind(), step.ID())
	}
	if bad := event.Name("bad"); bad.Kind() != "" || bad.ID() != "" || bad.Parent() != "" {
		t.Error("what is no name has parts")
	}
	_, err = run.Child("Step", "a1/Step.a2")
	wantRefused(t, "a child of two elements", err, "more than one element")
	_, err = event.Name("cld:").Child("Step", "a1")
	wantRefused(t, "a child of nothing", err, "")
}

func TestSeedNames(t *testing.T) {
	t.Run("S1-H11 a prefix ends where an element does", func(t *testing.T) {
		j := &event.Memory{}
		for _, n := range []event.Name{"cld:a.B.1/c.D.2", "cld:a.B.10/c.D.2", "cld:a.B.1", "cld:a.B.1/c.D.2/e.F.3", "cld:a.B.2"} {
			if _, err := j.Publish(t.Context(), put(n)); err != nil {
				t.Fatal(err)
			}
		}
		tests := []struct {
			prefix event.Prefix
			want   []event.Name
		}{
			{"cld:a.B.1/", []event.Name{"cld:a.B.1/c.D.2", "cld:a.B.1/c.D.2/e.F.3"}},
			{"cld:a.B.1", []event.Name{"cld:a.B.1/c.D.2", "cld:a.B.1", "cld:a.B.1/c.D.2/e.F.3"}},
			{"cld:a.B.10", []event.Name{"cld:a.B.10/c.D.2"}},
			{"cld:a.B.3", nil},
			{"cld:", []event.Name{"cld:a.B.1/c.D.2", "cld:a.B.10/c.D.2", "cld:a.B.1", "cld:a.B.1/c.D.2/e.F.3", "cld:a.B.2"}},
		}
		for _, tt := range tests {
			events, err := j.EventsSince(t.Context(), 0, tt.prefix, 0)
			must.Succeed(t, err)
			var got []event.Name
			for _, e := range events {
				got = append(got, e.Resources...)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s selects %q, want %q", tt.prefix, got, tt.want)
			}
		}
		_, err := j.EventsSince(t.Context(), 0, "cld:a.B", 0)
		if err != nil {
			t.Errorf("a prefix of type a and id B: %v", err)
		}
		_, err = j.EventsSince(t.Context(), 0, "cld:a.B.1//", 0)
		wantRefused(t, "two slashes", err, "")
	})
	t.Run("S1-H12 ids with separators are refused", func(t *testing.T) {
		for _, id := range []string{"a/b", ".", "..", "a.b", "a\x00b", "\x00", "", "../../etc/passwd", "a\nb", "\x1b[2J"} {
			_, err := root("a.B", id)
			if id == "a.b" || id == "." || id == ".." {
				// A dot makes the text before it a part of the type: never an id with a dot.
				if n, _ := root("a.B", id); err == nil && n.ID() == id {
					t.Errorf("%q is an id", id)
				}
				continue
			}
			wantRefused(t, id, err, "")
			e := put(event.Name("cld:a.B." + id))
			_, err = event.NewBus(&event.Memory{}).Publish(t.Context(), e)
			wantRefused(t, id, err, "resources[0]: ")
		}
	})
}

// FuzzPrefix holds prefixes to their laws: a prefix that is a name selects what a
// walk up the parents finds; with a slash only what is below; the bounds for an
// index say the same.
func FuzzPrefix(f *testing.F) {
	for _, s := range []string{"cld:a.B.1", "cld:a.B.10/c.D.2", "cld:a.B.1/c.D.2", "cld:a.B.1/", "cld:", "", "cld:a.B.1.", "cld:a.B.1~"} {
		f.Add(s, "cld:a.B.1/c.D.2")
		f.Add("cld:a.B.1", s)
	}
	f.Fuzz(func(t *testing.T, prefix, name string) {
		p, n := event.Prefix(prefix), event.Name(name)
		if p.Validate() != nil || n.Validate() != nil {
			return
		}
		base := event.Name(strings.TrimSuffix(prefix, "/"))
		want := base == "" || base == "cld:" || base == n && string(base) == prefix
		for up := n.Parent(); up != ""; up = up.Parent() {
			want = want || up == base
		}
		if got := p.Matches(n); got != want {
			t.Errorf("%q selects %q: %v, want %v", p, n, got, want)
		}
		self, from, to := p.Bounds()
		if got := n == self || name >= from && (to == "" || name < to); got != want {
			t.Errorf("bounds of %q have %q: %v, want %v", p, n, got, want)
		}
		child, err := n.Child("x.Y", event.ID(prefix))
		if err != nil {
			if len(name)+3*len(prefix)+10 < event.MaxName && strings.Count(name, "/") < event.MaxDepth-1 {
				t.Errorf("a child of %q: %v", n, err)
			}
			return
		}
		if child.Parent() != n || !event.Prefix(n).Matches(child) || !event.Prefix(n+"/").Matches(child) || event.Prefix(n+"/").Matches(n) {
			t.Errorf("%q is not below %q", child, n)
		}
	})
}

// FuzzID: every text makes an id, and two texts never the same one.
func FuzzID(f *testing.F) {
	f.Add("a.b", "a~2eb")
	f.Add("", "~")
	f.Add("a1", "a1")
	f.Fuzz(func(t *testing.T, a, b string) {
		if (event.ID(a) == event.ID(b)) != (a == b) {
			t.Errorf("%q and %q make %q and %q", a, b, event.ID(a), event.ID(b))
		}
		if len(a) < 500 {
			if n, err := root("a.B", event.ID(a)); err != nil || n.ID() != event.ID(a) {
				t.Errorf("%q makes %q: %v", a, n, err)
			}
		}
	})
}

// root returns the name of a resource without a parent.
func root(kind, id string) (event.Name, error) { return event.ParseName("cld:" + kind + "." + id) }
