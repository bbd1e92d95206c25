package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/recipes"
	"errand/app/runs"
	"errand/app/setting"
	"errand/build/must"
	"errand/host/trace"
)

// TestRecipeOf: the record of a run names its recipe by what it is called from
// anywhere, whichever way it was given, and never another recipe.
func TestRecipeOf(t *testing.T) {
	a, home := opened(t, Options{})
	elsewhere := filepath.Join(home, "got from others")
	keep := func(dir, name, called string) {
		t.Helper()
		text := fmt.Sprintf("schema = 1\nname = %q\n[params.place]\n[[step]]\ntool = \"files.create_folder\"\nargs = { path = \"~/Documents/{place}\" }\n", called)
		must.Succeed(t, os.MkdirAll(dir, 0o700))
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	keep(a.Recipes().Dir(), "trip.toml", "trip")
	keep(elsewhere, "trip.toml", "trip")
	keep(elsewhere, "trip others.toml", "trip")
	own, err := filepath.Rel(mustWd(t), filepath.Join(a.Recipes().Dir(), "trip.toml"))
	must.Succeed(t, err)
	other, err := filepath.Rel(mustWd(t), filepath.Join(elsewhere, "trip.toml"))
	must.Succeed(t, err)
	for i, tt := range []struct{ given, of, again string }{
		{"trip", "trip", "trip"},
		{filepath.Join(a.Recipes().Dir(), "trip.toml"), "trip", "trip"},
		{own, "trip", "trip"},
		{other, "", "'" + filepath.Join(elsewhere, "trip.toml") + "'"},
		{filepath.Join(elsewhere, "trip others.toml"), "", "'" + filepath.Join(elsewhere, "trip others.toml") + "'"},
	} {
		values := map[string]string{"place": fmt.Sprintf("Place %d", i)}
		r, err := startRecipe(t, a, &recipes.Run{Ref: tt.given, Values: values}, runs.Request{Yes: true})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("%s: %s, %+v, %v", tt.given, r.Status, r.Error, err)
		}
		s, err := a.storage()
		must.Succeed(t, err)
		rec, err := s.Record(t.Context(), r.RunID)
		must.Succeed(t, err)
		if of, ok := recipes.OfRecord(rec); ok != (tt.of != "") || ok && (of.Ref != tt.of || of.Values["place"] != values["place"]) {
			t.Errorf("the run of %s is of %+v, %t; want %q", tt.given, of, ok, tt.of)
		}
		if got := setting.CommandOf(rec.Run); !strings.HasPrefix(got, "errand run --recipe "+tt.again+" --param") {
			t.Errorf("%s once more: %s", tt.given, got)
		}
	}
}

func mustWd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	must.Succeed(t, err)
	return dir
}
