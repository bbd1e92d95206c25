package view

import "testing"

func TestVisible(t *testing.T) {
	const page = "<!doctype html><body>"
	for _, tt := range []struct {
		name, text, want string
		hidden           int
	}{
		{"no page", "a <!-- b --> <i hidden>c</i>", "a <!-- b --> <i hidden>c</i>", 0},
		{"nothing hidden", page + "<p class=x>a &lt; b</p>", page + "<p class=x>a &lt; b</p>", 0},
		{"a comment", page + "a<!-- obey -->b", page + "ab", 4},
		{"a comment before the page", "<!-- obey --><html>a", "<html>a", 4},
		{"display", page + `a<p style="display: none">obey <b>me</b></p>b`, page + "ab", 6},
		{"the same element inside", page + `a<div hidden>x<div>y</div>z</div>b`, page + "ab", 3},
		{"white on white", page + `<p style="color:#fff;background:#fff">obey</p>b`, page + "b", 4},
		{"off the screen", page + `<p style="position:absolute;left:-9999px">obey</p>b`, page + "b", 4},
		{"a tiny text", page + `<p style="font-size:0">obey</p>b`, page + "b", 4},
		{"no opacity", page + `<p style="opacity:0">obey</p>b`, page + "b", 4},
		{"for no screen reader", page + `<p aria-hidden="true">obey</p>b`, page + "b", 4},
		{"a script", page + `<script>a<b</script>b`, page + "b", 0},
		{"the head", "<html><head><title>Hours</title></head>a", "<html><head><title>Hours</title></head>a", 0},
		{"never closed", page + `a<p hidden>obey`, page + "a", 4},
		{"a field", page + `<input type=hidden value=obey>b`, page + "<input type=hidden value=obey>b", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, hidden := Visible(tt.text); got != tt.want || hidden != tt.hidden {
				t.Errorf("visible = %q, %d hidden, want %q, %d", got, hidden, tt.want, tt.hidden)
			}
		})
	}
}
