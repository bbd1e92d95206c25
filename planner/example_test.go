package planner_test

import (
	"fmt"
	"log"

	"errand/app/i18n"
	"errand/planner"
	"errand/planner/catalogue"
	"errand/planner/plan"
)

func ExamplePlanner_Plan() {
	p := planner.New(catalogue.Default())
	result, err := p.Plan(planner.Request{
		Goals: plan.NewGoalSet([]plan.Goal{
			{GoalType: plan.BrowserNavigate, Platform: "youtube", Target: "https://youtube.com/"},
			{GoalType: plan.BrowserSearch, Query: "nvidia"},
		}, nil),
		Capabilities: []plan.Capability{{
			Name:       "system.apps.launch.shell",
			CanAchieve: []string{"app_launch", "browser_navigate", "browser_search"},
		}},
		Text: "open youtube and search nvidia",
	})
	if err != nil {
		log.Fatal(err)
	}
	made, _ := result.Plan()
	for _, a := range made.Actions() {
		fmt.Println(a.ActionID, a.Tool, a.Args["url"])
		fmt.Println(i18n.English().Text(a.Preview))
	}
	// Output:
	// a1 system.apps.launch.shell https://youtube.com/results?search_query=nvidia
	// Search for “nvidia” on YouTube
}

func ExampleSolve() {
	result, err := planner.Solve(plan.Problem{
		World: []string{"water"},
		Goal:  []string{"tea"},
		Capabilities: []plan.Capability{
			{Name: "boil", Requires: []string{"water"}, Effects: []string{"hot"}},
			{Name: "brew", Requires: []string{"hot", "leaves"}, Effects: []string{"tea"}},
		},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status(), result.Unmet())
	fmt.Println(i18n.English().Text(result.Reason()))
	// Output:
	// blocked [leaves]
	// No tool can provide what this needs: leaves.
}
