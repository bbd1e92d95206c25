package browser

func reading() []act  { return nil }
func checking() []act { return nil }
