package fit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"errand/host/tool"
	"errand/host/wasm/inspect"
	"errand/planner/message"
)

// Module returns why a module can't be linked, or nil. The message calls the
// module "it".
func Module(i *inspect.Inspection) *tool.Error {
	if i.Problem != "" {
		return unfit("unsupported_module", message.Verbatim(i.Problem)).WithHint(message.Verbatim(i.Cure))
	}
	var missing, wrong []inspect.Import
	for _, imp := range i.Imports {
		switch {
		case imp.Fault == "":
		case imp.Want() == "":
			missing = append(missing, imp)
		default:
			wrong = append(wrong, imp)
		}
	}
	others := ""
	if len(wrong) > 0 {
		others = fmt.Sprintf("it imports %s", listed(wrong, func(imp inspect.Import) string {
			return fmt.Sprintf("%s, which is %s here", imp, imp.Want())
		}))
	}
	switch {
	case len(missing) > 0:
		e := unfit("missing_imports", message.New("module.missing_imports", "string", listed(missing, inspect.Import.String))).
			WithHint(message.Verbatim(missing[0].Cure()))
		if others != "" {
			e.Message += "; " + others
		}
		return e
	case len(wrong) > 0:
		return unfit("wrong_imports", message.Verbatim(others)).WithHint(message.Verbatim(wrong[0].Cure()))
	}
	return nil
}

// mostListed is how many imports a message lists.
const mostListed = 5

// listed joins the imports into one text.
func listed(imports []inspect.Import, say func(inspect.Import) string) string {
	var texts []string
	for _, imp := range imports[:min(len(imports), mostListed)] {
		texts = append(texts, say(imp))
	}
	text := strings.Join(texts, ", ")
	if more := len(imports) - mostListed; more > 0 {
		text += fmt.Sprintf(" and %d more, which errand plugin inspect lists", more)
	}
	return text
}

// Function returns why an exported function can't be called, or nil. name is the
// module's name for messages.
func Function(i *inspect.Inspection, name, function string) *tool.Error {
	return wanted(i, name, function, "")
}

// wanted is Function with who needs the function: ", which tool a names", or "".
func wanted(i *inspect.Inspection, name, function, who string) *tool.Error {
	switch f, has := i.Func(function), written(i.Entries()); {
	case f != nil && f.Entry():
		return nil
	case f != nil:
		return unfit("bad_signature", message.New("module.function_is_and_plugin", "name", name, "function", function, "who", closed(who), "type", f.Type)).WithHint(message.Verbatim(inputCure))
	case has == "":
		return unfit("no_such_function", message.New("module.no_such_function", "name", name, "function", function, "who", who)).WithHint(message.Verbatim(inputCure))
	default:
		return unfit("no_such_function", message.New("module.no_such_function", "name", name, "function", function, "who", who)).WithHint(message.New("module.it_has", "has", has))
	}
}

// written joins the names of functions and quotes unusual ones.
func written(functions []string) string {
	var names []string
	for _, f := range functions {
		if f == "" || strings.ContainsFunc(f, func(r rune) bool { return r == ',' || r == '"' || !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			f = strconv.Quote(f)
		}
		names = append(names, f)
	}
	return strings.Join(names, ", ")
}

// closed adds a comma to who, for the middle of a sentence.
func closed(who string) string {
	if who != "" {
		who += ","
	}
	return who
}

const inputCure = "export functions without parameters: an Extism plugin reads its input and leaves its output by the host's functions, which the PDKs wrap; " +
	"a WASI command has a main, exported as _start, and its standard input and output"

// of prefixes a message about "it" with the module's name.
func of(name string, e *tool.Error) *tool.Error {
	e.Message = name + ": " + e.Message
	return e
}
