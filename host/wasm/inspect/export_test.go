package inspect

// Offers are the functions that a plugin may import, as imports.
func Offers() (offers []Import) {
	for module, functions := range offered {
		for name := range functions {
			offers = append(offers, Import{Module: module, Name: name, Kind: "func", Type: Offered(module, name)})
		}
	}
	return offers
}
