// Package hypermcp encodes and decodes the messages of hyper-mcp plugins: Extism
// plugins with tools of the Model Context Protocol. The package above calls their
// functions.
//
// There are two versions. Version 1 exports describe and call. Version 2 exports
// list_tools and call_tool, gets the context of a request and may call functions
// of its host ([Decline] and others answer them). Prompts, resources and
// completions are not used.
//
// Decoding is lenient, because plugins in use differ: some published templates
// omit the type of a content block.
package hypermcp
