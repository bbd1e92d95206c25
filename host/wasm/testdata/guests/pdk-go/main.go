// A plugin by Extism's Go PDK. All the guests that speak the Extism ABI do the
// same, each in its language: see guests_test.go.
package main

import (
	"fmt"

	pdk "github.com/extism/go-pdk"
)

var calls int

//go:wasmexport run
func run() int32 {
	input := pdk.InputString()
	if input == "fail" {
		pdk.SetErrorString("it failed")
		return 1
	}
	greeting, ok := pdk.GetConfig("greeting")
	if !ok {
		greeting = "hello"
	}
	calls++
	n := pdk.GetVarInt("n") + 1
	pdk.SetVarInt("n", n)
	pdk.Log(pdk.LogInfo, "ran")
	pdk.OutputString(fmt.Sprintf("%s, %s! var %d, calls %d", greeting, input, n, calls))
	return 0
}

//go:wasmexport echo
func echo() int32 {
	pdk.Output(pdk.Input())
	return 0
}

//go:wasmexport fetch
func fetch() int32 {
	url := pdk.InputString()
	if url == "{}" { // of a tool that is called without arguments
		url = "https://example.com/"
	}
	req := pdk.NewHTTPRequest(pdk.MethodPost, url)
	req.SetHeader("X-Test", "7")
	req.SetBody([]byte("sent"))
	res := req.Send()
	pdk.OutputString(fmt.Sprintf("%d %s", res.Status(), res.Body()))
	return 0
}

func main() {}
