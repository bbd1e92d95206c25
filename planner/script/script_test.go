package script

import "testing"

func TestIsMixed(t *testing.T) {
	for word, want := range map[string]bool{
		"paypal": false, "привет": false, "東京カメラ": false, "tokyo東京": false, "서울seoul": false, "αβγ": false, "x-1": false, "": false,
		"pаypal": true, "videоs": true, "мoи": true, "ραypal": true, "ա1a": true, "東京привет": true, "カ서": true,
	} {
		if got := IsMixed(word); got != want {
			t.Errorf("%q: %t", word, got)
		}
	}
}
