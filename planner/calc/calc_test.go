package calc

import (
	"math/big"
	"strings"
	"testing"

	"errand/build/must"
)

func TestRead(t *testing.T) {
	tests := []struct{ text, calculation, result string }{
		{"what is 15% of 80", "15% × 80", "12"},
		{"2+2*3", "2 + 2 × 3", "8"},
		{"(2+2)*3", "(2 + 2) × 3", "12"},
		{"10 - 4", "10 − 4", "6"},
		{"10 - (4 - 3)", "10 − (4 − 3)", "9"},
		{"what's 2 + 2?", "2 + 2", "4"},
		{"1/3 + 1/6 =", "1 ÷ 3 + 1 ÷ 6", "0.5"},
		{"calculate 9/11", "9 ÷ 11", "≈0.8181818182"},
		{"0.1 + 0.2", "0.1 + 0.2", "0.3"},
		{"what is 12 x 12", "12 × 12", "144"},
		{"sqrt 2", "√2", "≈1.414213562"},
		{"square root of 144", "√144", "12"},
		{"the cube root of -27", "", ""},
		{"cube root of 27", "∛27", "3"},
		{"2^10", "2^10", "1024"},
		{"2**100", "2^100", "≈1.2676506×10^30"},
		{"-2^2 + 1", "−2^2 + 1", "-3"},
		{"5 squared", "5^2", "25"},
		{"what is 5!", "5!", "120"},
		{"17 mod 5", "17 mod 5", "2"},
		{"80 + 15%", "80 + 15%", "92"},
		{"20% off 50", "50 − 20%", "40"},
		{"half of 90", "1 ÷ 2 × 90", "45"},
		{"three quarters of 80", "3 ÷ 4 × 80", "60"},
		{"two plus two", "2 + 2", "4"},
		{"what is twenty-five times four", "25 × 4", "100"},
		{"two thousand five hundred and three minus 3", "2503 − 3", "2500"},
		{"3 million divided by 4", "3000000 ÷ 4", "750000"},
		{"1,500 * 2", "1500 × 2", "3000"},
		{"1 000 000 / 8", "1000000 ÷ 8", "125000"},
		{"what is 1/0", "1 ÷ 0", "!calc.divide_by_zero"},
		{"what is 9^9^9", "9^(9^9)", "!calc.too_large"},
		{"square root of -1", "", ""},
		{"сколько будет 17 на 23", "17 × 23", "391"},
		{"сколько будет дважды два", "2 × 2", "4"},
		{"пятью пять", "5 × 5", "25"},
		{"double trouble", "", ""},
		{"twice a day", "", ""},
		{"два плюс два", "2 + 2", "4"},
		{"сколько будет 15 процентов от 80", "15% × 80", "12"},
		{"3,5 * 2 сколько будет", "", ""},
		{"посчитай 3,5 умножить на 2", "3.5 × 2", "7"},
		{"корень из 144", "√144", "12"},
		{"чему равно 7 в квадрате", "7^2", "49"},
		{"сто двадцать три разделить на три", "123 ÷ 3", "41"},
		{"половина от 80", "1 ÷ 2 × 80", "40"},

		{"5 miles in km", "5 mi in km", "8.04672 km"},
		{"70 f in c", "70 °F in °C", "≈21.1111 °C"},
		{"-40 c in f", "−40 °C in °F", "-40 °F"},
		{"70 degrees in celsius", "70 °F in °C", "≈21.1111 °C"},
		{"how many grams in 3 pounds", "3 lb in g", "1360.77711 g"},
		{"how many grams are there in a pound?", "1 lb in g", "453.59237 g"},
		{"convert 10 miles to kilometers", "10 mi in km", "16.09344 km"},
		{"5 feet 3 inches in cm", "5 ft 3 in in cm", "160.02 cm"},
		{"10 in in cm", "10 in in cm", "25.4 cm"},
		{"100 km/h in mph", "100 km/h in mph", "≈62.1371 mph"},
		{"90 minutes in hours", "90 min in h", "1.5 h"},
		{"8 oz in ml", "8 fl oz in ml", "236.5882365 ml"},
		{"half a mile in m", "0.5 mi in m", "804.672 m"},
		{"2 gb in mb", "2 GB in MB", "2000 MB"},
		{"5km in miles", "5 km in mi", "≈3.10686 mi"},
		{"переведи 5 миль в километры", "5 mi in km", "8.04672 km"},
		{"сколько граммов в 3 фунтах", "3 lb in g", "1360.77711 g"},
		{"сколько километров в миле", "1 mi in km", "1.609344 km"},
		{"сколько секунд в часе", "1 h in s", "3600 s"},
		{"100 градусов по фаренгейту в цельсии", "100 °F in °C", "≈37.7778 °C"},
		{"5 миль это сколько километров", "5 mi in km", "8.04672 km"},

		{"how many km is 26 miles", "26 mi in km", "41.842944 km"},
		{"how many minutes are 3 hours", "3 h in min", "180 min"},
		{"20% tip on 45", "20% × 45", "9"},
		{"what is a 15 percent tip on $60", "15% × 60", "9"},
		{"how much is a 20% tip on 45.50 dollars?", "20% × 45.5", "9.1"},
		{"tip on 45 at 20%", "20% × 45", "9"},
		{"8% sales tax on 250", "8% × 250", "20"},
		{"split 90 dollars between 4 people", "90 ÷ 4", "22.5"},
		{"split a bill of 120 by 5", "120 ÷ 5", "24"},
		{"$84 split 3 ways", "84 ÷ 3", "28"},
		{"10% чаевых с 450", "10% × 450", "45"},
		{"раздели 900 рублей на 4 человек", "900 ÷ 4", "225"},

		// These mean something else.
		{"how many days is a song about", "", ""},
		{"20% tip", "", ""},
		{"tip on 45", "", ""},
		{"split 4", "", ""},
		{"split the file in 4 parts", "", ""},
		{"share 4 files between 2 people", "", ""},
		{"divide and conquer", "", ""},
		{"$45", "", ""},
		{"45$ + x", "", ""},
		{"100$ in euros", "", ""},
		{"2001 a space odyssey", "", ""},
		{"1984", "", ""},
		{"24 season 2", "", ""},
		{"7 zip", "", ""},
		{"5 stars hotels in rome", "", ""},
		{"cups in cupboard", "", ""},
		{"2 cups in cupboard", "", ""},
		{"9/11", "", ""},
		{"what is 9/11", "", ""},
		{"what is 24/7", "", ""},
		{"7-11", "", ""},
		{"555-1234", "", ""},
		{"+7 916 123 45 67", "", ""},
		{"12/25/2026", "", ""},
		{"2026-11-30", "", ""},
		{"2 x 4", "", ""},
		{"1920x1080", "", ""},
		{"wow 5!", "", ""},
		{"5!", "", ""},
		{"50% off", "", ""},
		{"90 minutes in heaven", "", ""},
		{"60 seconds", "", ""},
		{"c++ 20", "", ""},
		{"100 dollars to euros", "", ""},
		{"5 miles in kg", "", ""},
		{"10 m in 5 s", "", ""},
		{"eval(1+1)", "", ""},
		{"{{7*7}}", "", ""},
		{"1+1; rm -rf /", "", ""},
		{"search google for 1+1=2", "", ""},
		{"one and two", "", ""},
		{"what is 5", "", ""},
		{"сколько времени", "", ""},
		{"сколько будет стоить айфон 15", "", ""},
		{"два капитана", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			c, ok := Read(tt.text)
			if !ok {
				if tt.calculation != "" {
					t.Errorf("not read, want %s", tt.calculation)
				}
				return
			}
			if got := c.String(); got != tt.calculation {
				t.Errorf("calculation %q, want %q", got, tt.calculation)
			}
			again, err := Parse(c.String())
			if err != nil || again.String() != c.String() {
				t.Errorf("parsed again: %v, %v", again, err)
			}
			if got := say(c); got != tt.result {
				t.Errorf("result %q, want %q", got, tt.result)
			}
		})
	}
}

func say(c Calculation) string {
	r, err := c.Evaluate()
	if err != nil {
		return "!" + strings.Fields(err.Error())[0]
	}
	text := r.Number
	if !r.Exact {
		text = "≈" + text
	}
	return strings.TrimSpace(text + " " + r.Unit)
}

// Every unit has a word in each language, and converting there and back gives the same number.
func TestUnits(t *testing.T) {
	for symbol, u := range units() {
		for other, v := range units() {
			if u.Dimension != v.Dimension {
				continue
			}
			c, err := Parse("7 " + symbol + " in " + other)
			must.Succeed(t, err)
			n := number{big.NewRat(7, 1), false}
			n.Mul(n.Rat, u.Factor).Add(n.Rat, u.Offset).Sub(n.Rat, v.Offset).Quo(n.Rat, v.Factor)
			want, _ := format(n, measured)
			if r, err := c.Evaluate(); err != nil || r.Number != want || r.Unit != other {
				t.Errorf("%s: %+v, %v, want %s", c, r, err, want)
			}
		}
	}
}

// FuzzParse checks that what is read is written so that it is read again, and that no text panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"2+2*3", "5 ft 3 in in cm", "((((1", "√√2^-3!", "1,2,3", "9^9^9^9", "−−−5%%", "1e9", "5 mi in", "½"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []func() (Calculation, bool){
			func() (Calculation, bool) { return Read(s) },
			func() (Calculation, bool) { c, err := Parse(s); return c, err == nil },
		} {
			c, ok := read()
			if !ok {
				continue
			}
			_, _ = c.Evaluate()
			if again, err := Parse(c.String()); len(c.String()) <= MaxBytes && (err != nil || again.String() != c.String()) {
				t.Errorf("%q is %q, and that %q, %v", s, c, again, err)
			}
		}
	})
}
