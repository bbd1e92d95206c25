package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	// root is the package whose rules decide, with those below it.
	root = "data.errand"
	// hidden begins the names of the rules that are added to a policy.
	hidden = "__errand_"
	// entryPackage has the rule that answers all at once.
	entryPackage = "errand_entry"
	// verdictEntry is that rule.
	verdictEntry = entryPackage + "/verdict"
)

// kinds are the rules that decide.
var kinds = []string{"deny", "ask", "allow"}

// addVerdict adds to the modules the rule that answers for all rules that decide. Its value is an
// object of "deny", "ask" and "allow". Each is a set of [message, package, file, line].
func addVerdict(modules map[string]*ast.Module) (problems []problem) {
	packages := map[string]map[string]bool{} // kind -> packages with such rules
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		m := modules[name]
		path := m.Package.Path.String()
		if path == "data."+entryPackage {
			problems = append(problems, problemAt(m.Package.Location, "the package name "+entryPackage+" is reserved"))
			continue
		}
		if path != root && !strings.HasPrefix(path, root+".") {
			continue
		}
		for _, r := range slices.Clone(m.Rules) {
			kind := r.Head.Name.String()
			if !slices.Contains(kinds, kind) {
				continue
			}
			if f, ok := wrongShape(r, kind); ok {
				problems = append(problems, f)
				continue
			}
			for _, added := range located(r, kind, path) {
				if packages[kind] == nil {
					packages[kind] = map[string]bool{}
				}
				packages[kind][path] = true
				added.Module = m
				m.Rules = append(m.Rules, added)
			}
		}
	}
	if len(problems) > 0 {
		return problems
	}
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\nverdict := {\"deny\": deny, \"ask\": ask, \"allow\": allow}\n", entryPackage)
	for _, kind := range kinds {
		fmt.Fprintf(&text, "%s contains v if { false; v := 0 }\n", kind)
		for _, path := range slices.Sorted(maps.Keys(packages[kind])) {
			fmt.Fprintf(&text, "%s contains v if some v in %s.%s\n", kind, path, hidden+kind)
		}
	}
	modules["errand_entry.rego"] = ast.MustParseModuleWithOpts(text.String(), ast.ParserOptions{RegoVersion: ast.RegoV1})
	return nil
}

// wrongShape is the problem of a rule with a name that decides and another shape.
func wrongShape(r *ast.Rule, kind string) (problem, bool) {
	head := r.Head
	if kind == "allow" {
		if len(head.Args) > 0 || head.Key != nil || len(head.Reference) != 1 {
			return problemAt(r.Location, "allow must be true or false: write `allow if …`"), true
		}
		return problem{}, false
	}
	if len(head.Args) > 0 || head.Key == nil || head.Value != nil || len(head.Reference) != 1 {
		return problemAt(r.Location, fmt.Sprintf("%[1]s must be a set of messages: write `%[1]s contains \"message\" if …`", kind)), true
	}
	return problem{}, false
}

// located returns rules that collect the place of the rule whenever it holds.
func located(r *ast.Rule, kind, path string) []*ast.Rule {
	if r.Default {
		return nil
	}
	place := func(message *ast.Term) *ast.Term {
		return ast.ArrayTerm(message, ast.StringTerm(strings.TrimPrefix(path, "data.")), ast.StringTerm(r.Location.File), ast.IntNumberTerm(r.Location.Row))
	}
	added := r.Copy()
	added.Else = nil
	message := added.Head.Key
	if kind == "allow" {
		message = ast.StringTerm("")
		switch {
		case r.Else != nil:
			// Which branch held is not known: the rule's value tells.
			whole := ast.MustParseRef(path + ".allow")
			added.Body = ast.NewBody(ast.Equality.Expr(ast.NewTerm(whole), ast.BooleanTerm(true)))
		case r.Head.Value != nil && !r.Head.Value.Equal(ast.BooleanTerm(true)):
			added.Body.Append(ast.Equality.Expr(r.Head.Value.Copy(), ast.BooleanTerm(true)))
		}
	}
	added.Head = ast.NewHead(ast.Var(hidden+kind), place(message))
	added.Head.Location = r.Head.Location
	added.Head.Reference = ast.Ref{ast.VarTerm(hidden + kind)}
	ast.WalkRules(added, func(x *ast.Rule) bool { x.Location = r.Location; return false })
	return []*ast.Rule{added}
}

func problemAt(at *ast.Location, message string) problem {
	return problem{File: at.File, Line: at.Row, Column: at.Col, Message: message}
}
