package app

import (
	"testing"

	"errand/app/config"
)

func TestUser(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want string // "": the name of the account
	}{
		{"USER", []string{"USER=ann", "LOGNAME=bob"}, "ann"},
		{"empty USER", []string{"USER=", "LOGNAME=bob"}, "bob"},
		{"none", nil, ""},
	}
	for _, tt := range tests {
		a := &App{o: Options{Config: config.Options{Env: tt.env}}}
		got := a.user()
		if tt.want != "" && got != tt.want || got == "" {
			t.Errorf("%s: user() = %q, want %q", tt.name, got, tt.want)
		}
	}
}
