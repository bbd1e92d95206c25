package system

import (
	"context"
	"strconv"
	"strings"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/calc"
	"errand/planner/message"
)

// CalculateName is the name of the tool that computes.
const CalculateName = "system.calculate"

func calculateTool() tool.Tool {
	return tool.Func(tool.Spec{
		Name:        CalculateName,
		Description: "Compute an expression, such as 15% × 80, or convert between units: 5 mi in km. The units are " + strings.Join(calc.Symbols(), ", ") + ".",
		ArgsSchema: []byte(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"expression": {"type": "string", "minLength": 1, "maxLength": 400}},
  "required": ["expression"],
  "additionalProperties": false
}`),
		TimeoutMS:       5_000,
		RetryProfile:    tool.RetryNone,
		SideEffectClass: tool.Read,
		Effect:          tool.EffectRead,
		CanAchieve:      []string{"calculate_expression"},
		Effects:         []string{"calculation_known"},
		Source:          "builtin",
		Display:         display.Tool{Summary: display.OneOf("expression"), View: display.View{Messages: []string{"text"}}}.WithName(CalculateName),
	}, func(_ context.Context, call tool.Call) (tool.Result, error) {
		expression, _ := call.Args["expression"].(string)
		c, err := calc.Parse(expression)
		if err != nil {
			return tool.Fail(tool.ValidationError, "not_a_calculation", message.FromError(err)), nil
		}
		r, err := c.Evaluate()
		if err != nil {
			return tool.Fail(tool.ExecutionError, "no_result", message.New("calc.no_result", "expression", c.String(), "cause", err)), nil
		}
		return tool.OK(map[string]any{
			"expression": c.String(), "number": r.Number, "unit": r.Unit, "exact": r.Exact,
			"text": calculationText(c, r).PlainValue(),
		}), nil
	})
}

// calculationText says a calculation, as it was understood, with its result.
func calculationText(c calc.Calculation, r calc.Result) message.Message {
	result := message.New("calc.number", "number", r.Number)
	if r.Unit != "" {
		result = quantityText(r)
	}
	left := []message.Message{message.New("calc.number", "number", c.Amount())}
	if all := c.Quantities(); len(all) > 0 {
		left = nil
		for _, q := range all {
			left = append(left, quantityText(q))
		}
	}
	code := "calc.equals"
	if !r.Exact {
		code = "calc.about"
	}
	return message.New(code, "left", left, "result", result)
}

// quantityText says a number with its unit. A whole number decides about the form of the unit.
func quantityText(r calc.Result) message.Message {
	if n, err := strconv.Atoi(r.Number); err == nil {
		return message.New("calc.quantity", "number", n, "unit", r.Unit)
	}
	return message.New("calc.quantity", "number", r.Number, "unit", r.Unit)
}
