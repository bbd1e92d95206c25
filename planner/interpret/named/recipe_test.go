package named_test

import (
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/named"
)

func TestFindRecipe(t *testing.T) {
	reader, err := interpret.New(catalogue.Default(), interpret.Options{})
	must.Succeed(t, err)
	for _, tt := range []struct{ text, want string }{
		{"run my videos recipe", "videos|my videos"},
		{"run the my time recipe", "time|the my time"},
		{"run my recipe time", "time"},
		{"run my recipe my time", "my time"},
		{"запусти мой утро рецепт", "утро|мой утро"},
		{"start the recipe morning", "morning"},
		{"please run the recipe called morning news", "morning news"},
		{`run recipe "rock and roll"`, "rock and roll"},
		{"execute the my-videos recipe, please", "my-videos|the my-videos"},
		{"запусти рецепт утро", "утро"},
		{"пожалуйста, выполни мой рецепт утро", "утро"},
		{"запусти рецепт под названием утро", "утро"},
		{"запусти recipe утро", "утро"},
		{"run recipe", ""},
		{"run recipe called", ""},
		{"запусти рецепт под утро", "под утро"},
		{"find a recipe for pancakes", ""},
		{"run a recipe for pancakes", ""},
		{"do not run the recipe morning", ""},
		{"не запускай рецепт утро", ""},
		{"run the recipe morning and open youtube", ""},
		{"run the recipe morning, delete notes.txt", ""},
		{"open the recipe morning", ""},
		{"запусти рецепт утро и удали файл", ""},
	} {
		if got := strings.Join(named.FindRecipe(reader.Parse(tt.text)), "|"); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.text, got, tt.want)
		}
	}
}
