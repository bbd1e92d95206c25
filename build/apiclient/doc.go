// Package apiclient tests that a client which is generated from the document of the local API can use
// it. The module is its own, so that the program does not depend on the generator.
package apiclient

//go:generate mkdir -p testdata/client
//go:generate go tool oapi-codegen -generate types,client -package client -o testdata/client/client.go ../../app/api/openapi.json
