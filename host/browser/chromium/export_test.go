package chromium

// SweepUntil is [Sweep] with another deadline.
var SweepUntil = sweep

// NewScratch makes a scratch folder below dir. The program owns it until it calls remove.
func NewScratch(dir string) (folder string, remove func() error, err error) {
	s, err := newScratch(dir)
	if err != nil {
		return "", nil, err
	}
	return s.path, s.remove, nil
}

// SetPolicyRoot sets the folder of the system's managed policies.
func SetPolicyRoot(dir string) (restore func()) {
	old := policyRoot
	policyRoot = dir
	return func() { policyRoot = old }
}
