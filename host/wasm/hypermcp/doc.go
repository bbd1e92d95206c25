// Package hypermcp is what plugins of hyper-mcp say and are told: Extism plugins
// that carry tools of the Model Context Protocol. It knows the shapes alone; the
// package above calls the functions.
//
// There are two versions of it. One exports describe and call and knows nothing
// of who calls it. The other exports list_tools and call_tool, gets the request
// with its context, and may call functions of its host ([Decline] and others
// answer them). Prompts, resources and completions, which it may have too, are
// nothing that this program would ask for.
//
// Reading is lenient, because the shapes in the field differ: some of the
// published templates leave a content block's type out.
package hypermcp
