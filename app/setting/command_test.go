package setting

import (
	"testing"

	"errand/planner/plan"
)

func TestRunCommand(t *testing.T) {
	tests := []struct {
		words string
		own   RunSetting
		want  string
	}{
		{"open youtube", RunSetting{}, "errand run 'open youtube'"},
		{"sum it up", RunSetting{Origin: plan.Agent}, "errand ask 'sum it up'"},
		{"say 'hi'", RunSetting{Demo: true}, `errand demo 'say '\''hi'\'''`},
		{"recipe tea n=1", RunSetting{Recipe: "tea", Params: map[string]string{"n": "1", "a": "b c"}}, "errand run --recipe tea --param a='b c' --param n=1"},
		{"recipe ./x.toml", RunSetting{Recipe: "./x.toml", Demo: true}, "errand demo --recipe ./x.toml"},
	}
	for _, tt := range tests {
		if got := RunCommand(tt.words, tt.own); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.words, got, tt.want)
		}
	}
}
