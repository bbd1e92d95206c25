package view

import "errand/planner/message"

// Policy is the current policy.
type Policy struct {
	File         string   `json:"file"`
	Allowed      []Listed `json:"allowed"`       // policy.allowed_domains
	Addable      []Listed `json:"addable"`       // entries for several hosts that are not in Allowed
	AllowPrivate []Listed `json:"allow_private"` // policy.allow_private
	GoalTools    []Listed `json:"user_goal_tools"`
	Rules        []Rule   `json:"rules"`
	Subresources string   `json:"subresources"` // public, listed
	Grants       []Grant  `json:"grants"`       // those that still have an effect
}

// Listed is an entry of a list of the configuration.
type Listed struct {
	Entry  string   `json:"entry"`
	Means  []string `json:"means"`  // the patterns of "@catalogue", all known sites
	Source string   `json:"source"` // default, the file and line, or an environment variable
}

// Rule is one of the user's own rules.
type Rule struct {
	Name       string `json:"name"` // rules[0]
	Verdict    string `json:"verdict"`
	Conditions []Pair `json:"conditions"` // field of the rule, or JSON pointer of an argument, with value or glob
	Reason     string `json:"reason"`
	Until      int64  `json:"until"`
}

// Grant is a host or a folder that the user allowed in addition to the configuration.
type Grant struct {
	ID        string          `json:"id"`
	Pattern   string          `json:"pattern"` // of the host, or the folder
	Scope     string          `json:"scope"`   // once, run, always
	Tool      string          `json:"tool"`
	Plugin    string          `json:"plugin"`
	Origin    string          `json:"origin"`
	Until     int64           `json:"until"`
	State     string          `json:"state"`  // open, used, ended, revoked
	RunID     string          `json:"run_id"` // the run that used it
	GrantedAt int64           `json:"granted_at"`
	GrantedBy string          `json:"granted_by"`
	RevokedAt int64           `json:"revoked_at"`
	Note      message.Message `json:"note"` // for a new grant: why it has no effect
}

// AllowAsk allows a host. In an active run it applies from its next request.
type AllowAsk struct {
	Pattern string `json:"pattern"` // a host, or *.host
	Scope   string `json:"scope"`   // once, run, always
	Tool    string `json:"tool"`    // glob; "" for any
	Plugin  string `json:"plugin"`  // "" for any
	Until   int64  `json:"until"`   // 0: no end
}

// URLVerdict is the policy decision about a URL that a goal would open.
type URLVerdict struct {
	URL        string          `json:"url"`
	Verdict    string          `json:"verdict"` // allow, ask, deny
	Rule       string          `json:"rule"`
	Reason     message.Message `json:"reason"`
	Hint       message.Message `json:"hint"`
	Addresses  []string        `json:"addresses"`
	Unresolved bool            `json:"unresolved"` // the name has no address now
	Grantable  bool            `json:"grantable"`  // [API.AllowHost] of Host would allow it
	Host       string          `json:"host"`
	Stages     []URLStage      `json:"stages"` // in order
	Change     *LineChange     `json:"change"` // the one line that would change the verdict
}

// URLStage is one stage of a decision.
type URLStage struct {
	Name       string            `json:"name"` // floor, exceptions, redirect, bans, manifest, list, who, rules, read, address
	Verdict    string            `json:"verdict"`
	Rule       string            `json:"rule"`
	Reason     message.Message   `json:"reason"`
	NearMisses []message.Message `json:"near"` // entries that nearly match, and why they don't
}

// LineChange is a line of the configuration, and the verdict with it.
type LineChange struct {
	Location message.Message `json:"where"`
	Text     string          `json:"text"`
	Verdict  string          `json:"verdict"`
}
