module errand.test/peers

go 1.26.0

require (
	code.dny.dev/ssrf v0.3.0
	errand v0.0.0
	github.com/doyensec/safeurl v0.2.2
	github.com/nlnwa/whatwg-url v0.6.2
	github.com/stripe/smokescreen v0.1.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/kr/pretty v0.1.0 // indirect
	github.com/sirupsen/logrus v1.9.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	gopkg.in/check.v1 v1.0.0-20190902080502-41f04d3bba15 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)

replace errand => ../../..
