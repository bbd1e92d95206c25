package core

import "errand/app/setting"

// ofRecipe reports whether the plan is a recipe's, also where the run goes on.
func (x *execution) ofRecipe() bool {
	if x.earlier == nil {
		return x.request.Recipe != nil
	}
	s, err := setting.Read(x.earlier.Setting)
	return err == nil && s.Own.Given == setting.GivenRecipe
}
