package actions

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/policy"
)

// clickActions returns actions whose effects may be irreversible.
func clickActions() []action {
	return []action{
		{
			name: "click", description: `Click an element. A link that policy allows counts as navigation; anything else commits. With expect "link" anything else is refused.`,
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(`"locator": LOCATOR, "expect": {"enum": ["link"], "description": "refuse to click unless it is a plain link to an allowed host"}, `+timeoutSchema, "locator"),
			effect:  tool.EffectCommit, achieves: []string{"click_control"}, effects: []string{"control_clicked"}, do: click, declared: declareClick, classified: classifyClick,
		},
		{
			name: "submit", description: "Send a form: the one that the element is, or is in.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(`"locator": LOCATOR, `+timeoutSchema, "locator"),
			effect:  tool.EffectCommit, achieves: []string{"submit_form"}, effects: []string{"form_submitted"}, do: submit,
		},
	}
}

// target is what a click on an element does.
type target struct {
	Kind string // link; otherwise handled, control or other
	URL  string // only for a link
}

// readTarget returns what a click on the element does. A link with its own click listener
// counts as handled, because the script may do anything. Listeners on ancestors are not
// considered: they could act without a click.
func readTarget(ctx context.Context, e *document.Element) (target, error) {
	var to target
	err := e.Frame.Run(ctx, e.Object, &to, "clicked")
	if err != nil || to.Kind != "link" {
		return to, err
	}
	link, err := e.Frame.Invoke(ctx, e.Object, false, "function () { return errand.link.call(this) }")
	if err != nil {
		return to, err
	}
	node, err := proto.DOMDescribeNode{ObjectID: link.Result.Object}.Call(e.Frame.Call(ctx))
	if err != nil {
		return to, document.WrapReplaced(err)
	}
	handled, err := listens(ctx, e.Frame, node.Node.BackendNodeID)
	if handled {
		to = target{Kind: "handled"}
	}
	return to, err
}

// listens reports whether the page's scripts listen for clicks on a node or inside it. It
// runs in the page's own world, because other worlds can't see its listeners.
func listens(ctx context.Context, f *document.Frame, backend proto.DOMBackendNodeID) (bool, error) {
	own, err := proto.DOMResolveNode{BackendNodeID: backend, ObjectGroup: f.Doc.Group}.Call(f.Call(ctx))
	if err != nil {
		return false, document.WrapReplaced(err)
	}
	all := -1
	res, err := proto.DOMDebuggerGetEventListeners{ObjectID: own.Object.ObjectID, Depth: &all}.Call(f.Call(ctx))
	if err != nil {
		return false, document.WrapReplaced(err)
	}
	return slices.ContainsFunc(res.Listeners, func(l *proto.DOMDebuggerEventListener) bool { return slices.Contains(clickEvents, l.Type) }), nil
}

var clickEvents = []string{"click", "mousedown", "mouseup", "pointerdown", "pointerup"}

// effect returns the effect of a click on the target. A link that policy doesn't allow is
// an error, as for any other navigation.
func (to target) effect(ctx context.Context, b *page.Browser, e *document.Element, wantLink bool) (tool.Effect, error) {
	if to.Kind == "link" {
		if d := b.EvaluateFrom(ctx, pageOf(e.Frame), to.URL); d.Verdict != policy.Allow {
			return "", page.DeniedError(to.URL, d)
		}
		return tool.EffectNavigate, nil
	}
	if wantLink {
		_ = e.Describe(ctx) // for its name
		return "", tool.NewError(tool.ExecutionError, "not_a_link", message.New("browser.not_a_link", "element", e.Message(), "kind", to.Kind)).
			WithAlternative(message.New("browser.click_needs_approval"))
	}
	return tool.EffectCommit, nil
}

func declareClick(a args) tool.Effect {
	if a.text("expect") == "link" {
		return tool.EffectNavigate
	}
	return tool.EffectCommit
}

func classifyClick(ctx context.Context, t *page.Tab, a args) (tool.Effect, error) {
	e, _, err := findReady(ctx, t, a, document.NeedPick)
	if err != nil {
		return "", err
	}
	to, err := readTarget(ctx, e)
	if err != nil {
		return "", err
	}
	return to.effect(ctx, t.Browser, e, a.text("expect") == "link")
}

func click(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	e, at, err := findTarget(ctx, t, a, call, document.NeedClick)
	if err != nil {
		return tool.Result{}, err
	}
	to, err := readTarget(ctx, e)
	if err != nil {
		return tool.Result{}, err
	}
	live, err := to.effect(ctx, t.Browser, e, a.text("expect") == "link")
	if err != nil {
		return tool.Result{}, err
	}
	if err := checkEffect(call, live, e.Message()); err != nil {
		return tool.Result{}, err
	}
	if err := clickHere(ctx, t, at, call); err != nil {
		return tool.Result{}, err
	}
	return finishAction(ctx, t, e, map[string]any{"effect": string(live)})
}

func submit(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	e, _, err := findTarget(ctx, t, a, call, document.NeedAttached)
	if err != nil {
		return tool.Result{}, err
	}
	var sent struct {
		Fault string `json:"fault"`
		What  string `json:"what"`
	}
	if err := e.Frame.Run(ctx, e.Object, &sent, "submit"); err != nil {
		return tool.Result{}, err
	}
	switch sent.Fault {
	case "no_form":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_form", message.New("browser.no_form", "element", e.Message()))
	case "invalid":
		return tool.Result{}, tool.NewError(tool.ExecutionError, "form_invalid", message.New("browser.form_invalid", "cause", address.Clip(sent.What)))
	}
	return finishAction(ctx, t, e, map[string]any{"effect": string(tool.EffectCommit)})
}
