package guard

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"errand/policy"
)

func TestBudget(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "0123456789") })
	hosts := []string{"example.com", "www.example.com"}
	get := func(g *Guard, host string) error {
		resp, err := g.Client(policy.Request{}).Get("https://" + host + "/")
		if err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		return err
	}
	tests := []struct {
		name   string
		budget Budget
		want   string // one letter a request to example.com, then www.example.com, in turn: y or n
	}{
		{"none", Budget{}, "yyyy"},
		{"connections", Budget{Connections: 3}, "yyyn"},
		{"hosts", Budget{Hosts: 1}, "ynyn"},
		{"bytes", Budget{Bytes: 15}, "yynn"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, _ := secureGuard(t, s, nil, hosts, Options{Budget: tt.budget})
			got := ""
			for i := range tt.want {
				err := get(g, hosts[i%2])
				var denied *DeniedError
				switch {
				case err == nil:
					got += "y"
				case errors.As(err, &denied) && denied.Decision.Rule == RuleBudget:
					got += "n"
				default:
					t.Fatal(err)
				}
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			yes := strings.Count(tt.want, "y")
			if n := g.Totals(); n.Connections != yes || n.Stopped != len(tt.want)-yes || n.Received != int64(10*yes) {
				t.Errorf("totals = %+v", n)
			}
		})
	}
}

// TestCheckCostsNothing: looking is not connecting.
func TestCheckCostsNothing(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{Budget: Budget{Connections: 1}})
	for range 3 {
		if d, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindFetch, URL: "https://example.com/"}); d.Verdict != policy.Allow || err != nil {
			t.Fatalf("%v %v", d, err)
		}
	}
	if resp, err := g.Client(policy.Request{}).Get("https://example.com/"); err != nil {
		t.Error(err)
	} else {
		resp.Body.Close()
	}
}
