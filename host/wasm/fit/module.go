package fit

import (
	"strconv"
	"strings"
	"unicode"

	"errand/host/tool"
	"errand/host/wasm/inspect"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// Module returns why a module can't be linked, or nil. The message calls the
// module "it".
func Module(i *inspect.Inspection) *tool.Error {
	if !i.Problem.IsZero() {
		return tool.UnavailableError("unsupported_module", i.Problem).WithHint(i.Cure)
	}
	var missing, wrong []inspect.Import
	for _, imp := range i.Imports {
		switch {
		case imp.Fault.IsZero():
		case imp.HostType() == "":
			missing = append(missing, imp)
		default:
			wrong = append(wrong, imp)
		}
	}
	lacks := message.New("module.missing_imports", "imports", listSome(missing, func(imp inspect.Import) any { return imp }))
	differs := message.New("module.wrong_imports", "imports", listSome(wrong, func(imp inspect.Import) any {
		return message.New("module.wrong_import", "import", imp, "type", imp.HostType())
	}))
	switch {
	case len(missing) > 0 && len(wrong) > 0:
		return tool.UnavailableError("missing_imports", message.New("module.missing_and_wrong_imports", "missing", lacks, "wrong", differs)).WithHint(missing[0].Fix())
	case len(missing) > 0:
		return tool.UnavailableError("missing_imports", lacks).WithHint(missing[0].Fix())
	case len(wrong) > 0:
		return tool.UnavailableError("wrong_imports", differs).WithHint(wrong[0].Fix())
	}
	return nil
}

// maxFunctions is how many functions a hint lists.
const maxFunctions = 30

// maxListed is how many imports a message lists.
const maxListed = 5

// listSome lists the first imports and counts the others.
func listSome(imports []inspect.Import, say func(inspect.Import) any) message.Message {
	var first []any
	for _, imp := range imports[:min(len(imports), maxListed)] {
		first = append(first, say(imp))
	}
	if more := len(imports) - maxListed; more > 0 {
		return message.New("module.imports_and_more", "imports", first, "more", more)
	}
	return message.New("module.imports", "imports", first)
}

// Function returns why an exported function can't be called, or nil. name is the
// module's name for messages.
func Function(i *inspect.Inspection, name message.Message, function string) *tool.Error {
	return checkFunction(i, name, function, caller())
}

// user is who needs a function: the codes for one that is not there and for one of
// another type, and the tool that names it.
type user struct{ missing, wrongType, tool string }

func caller() user { return user{"module.no_such_function", "module.wrong_function_type", ""} }

func byTool(tool string) user {
	return user{"module.no_such_tool_function", "module.wrong_tool_function_type", tool}
}

func byReconcile(tool string) user {
	return user{"module.no_such_reconcile_function", "module.wrong_reconcile_function_type", tool}
}

func byWarmup() user {
	return user{"module.no_such_warmup_function", "module.wrong_warmup_function_type", ""}
}

// exportEntry is the hint for a module without the function that a call needs.
func exportEntry() message.Message { return message.New("module.export_entry") }

// checkFunction is Function with who needs the function. name is a Message or a text.
func checkFunction(i *inspect.Inspection, name any, function string, who user) *tool.Error {
	f := i.Func(function)
	if f != nil && f.Entry() {
		return nil
	}
	pairs := []any{"module", name, "function", stack.Clip(function, stack.MaxName)}
	if who.tool != "" {
		pairs = append(pairs, "tool", who.tool)
	}
	if f != nil {
		return tool.UnavailableError("bad_signature", message.New(who.wrongType, append(pairs, "type", stack.Clip(f.Type, stack.MaxName))...)).WithHint(exportEntry())
	}
	e := tool.UnavailableError("no_such_function", message.New(who.missing, pairs...))
	entries := i.Entries()
	if has := quoteName(entries[:min(len(entries), maxFunctions)]); len(has) > 0 {
		return e.WithHint(message.New("module.functions_it_has", "functions", has, "more", len(entries)-len(has)))
	}
	return e.WithHint(exportEntry())
}

// quoteName returns the names of functions, with unusual ones quoted.
func quoteName(functions []string) (names []string) {
	for _, f := range functions {
		f = stack.Clip(f, stack.MaxName)
		if f == "" || strings.ContainsFunc(f, func(r rune) bool { return r == ',' || r == '"' || !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			f = strconv.Quote(f)
		}
		names = append(names, f)
	}
	return names
}

// withName adds the module's name to a message about "it".
func withName(name string, e *tool.Error) *tool.Error {
	e.Message = message.New("module.of", "module", name, "fault", e.Message)
	return e
}
