package actions

import (
	"context"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// classifier is an action whose effect depends on the live page.
type classifier struct {
	tool.Tool
	act *action
	o   Options
}

var _ tool.Classifier = classifier{}

// DeclaredEffect implements [tool.Classifier].
func (c classifier) DeclaredEffect(call tool.Call) tool.Effect { return c.act.declared(call.Args) }

// Classify implements [tool.Classifier]. It waits for the element as the action does, and
// doesn't change the page.
func (c classifier) Classify(ctx context.Context, call tool.Call) (tool.Effect, error) {
	if w := c.o.window(ctx, c.act.opens); w != nil {
		return w.ClassifyInWindow(ctx, call)
	}
	b, err := c.act.browser(ctx, c.o)
	if err != nil {
		return "", err
	}
	var effect tool.Effect
	_, err = b.Act(ctx, c.act.name, func(ctx context.Context, t *page.Tab) (tool.Result, error) {
		var err error
		effect, err = c.act.classified(ctx, t, call.Args)
		return tool.Result{}, err
	})
	return effect, err
}

// checkEffect returns an error if the live effect is stronger than the one that was
// allowed, because the page changed. element describes what the call acts on.
func checkEffect(call tool.Call, live tool.Effect, element message.Message) error {
	if call.Effect == "" || live.Rank() <= call.Effect.Rank() {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, "effect_changed", message.New("browser.effect_changed", "element", element, "effect", live, "allowed", call.Effect)).
		WithHint(message.New("browser.call_again"))
}
