package inspect

// Offers are the functions that a plugin may import, as imports.
func Offers() (offers []Import) {
	for module, functions := range hostFunctions() {
		for name := range functions {
			offers = append(offers, Import{Module: module, Name: name, Kind: "func", Type: HostType(module, name)})
		}
	}
	return offers
}
