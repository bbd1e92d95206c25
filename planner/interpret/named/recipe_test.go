package named_test

import (
	"testing"

	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/named"
)

func TestFindRecipe(t *testing.T) {
	reader, err := interpret.New(catalogue.Default(), interpret.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{"run my videos recipe", "videos"},
		{"start the recipe morning", "morning"},
		{"please run the recipe called morning news", "morning news"},
		{`run recipe "rock and roll"`, "rock and roll"},
		{"execute the my-videos recipe, please", "my-videos"},
		{"запусти рецепт утро", "утро"},
		{"пожалуйста, выполни мой рецепт утро", "утро"},
		{"запусти рецепт под названием утро", "утро"},
		{"run recipe", ""},
		{"find a recipe for pancakes", ""},
		{"run a recipe for pancakes", ""},
		{"do not run the recipe morning", ""},
		{"не запускай рецепт утро", ""},
		{"run the recipe morning and open youtube", ""},
		{"run the recipe morning, delete notes.txt", ""},
		{"open the recipe morning", ""},
		{"запусти рецепт утро и удали файл", ""},
	} {
		if got, ok := named.FindRecipe(reader.Parse(tt.text)); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v; want %q", tt.text, got, ok, tt.want)
		}
	}
}
