package view

import "errand/planner/message"

// Policy is what holds now.
type Policy struct {
	File         string   `json:"file"`
	Allowed      []Listed `json:"allowed"`       // policy.allowed_domains
	Addable      []Listed `json:"addable"`       // entries that stand for several hosts and are not in Allowed
	AllowPrivate []Listed `json:"allow_private"` // policy.allow_private
	GoalTools    []Listed `json:"user_goal_tools"`
	Rules        []Rule   `json:"rules"`
	Subresources string   `json:"subresources"` // public, listed
	Grants       []Grant  `json:"grants"`       // those that still open something
}

// Listed is an entry of a list of the configuration.
type Listed struct {
	Entry  string   `json:"entry"`
	Means  []string `json:"means"`  // the patterns that "@catalogue", all known sites, stands for
	Source string   `json:"source"` // default, the file and line, or an environment variable
}

// Rule is one of the user's own rules.
type Rule struct {
	Name       string `json:"name"` // rules[0]
	Verdict    string `json:"verdict"`
	Conditions []Pair `json:"conditions"` // field of the rule, or JSON pointer of an argument, and value or glob
	Reason     string `json:"reason"`
	Until      int64  `json:"until"`
}

// Grant is a host that the person opened beside the configuration.
type Grant struct {
	ID        string          `json:"id"`
	Pattern   string          `json:"pattern"`
	Scope     string          `json:"scope"` // once, run, always
	Tool      string          `json:"tool"`
	Plugin    string          `json:"plugin"`
	Origin    string          `json:"origin"`
	Until     int64           `json:"until"`
	State     string          `json:"state"`  // open, used, ended, revoked
	RunID     string          `json:"run_id"` // that used it
	GrantedAt int64           `json:"granted_at"`
	GrantedBy string          `json:"granted_by"`
	RevokedAt int64           `json:"revoked_at"`
	Note      message.Message `json:"note"` // of a new one: nothing here is what it is for
}

// AllowAsk opens a host. In an active run it counts from its next request on.
type AllowAsk struct {
	Pattern string `json:"pattern"` // a host, or *.host
	Scope   string `json:"scope"`   // once, run, always
	Tool    string `json:"tool"`    // glob; "" for any
	Plugin  string `json:"plugin"`  // "" for any
	Until   int64  `json:"until"`   // 0: no end
}

// URLVerdict is what policy says of a URL that a goal would open.
type URLVerdict struct {
	URL        string          `json:"url"`
	Verdict    string          `json:"verdict"` // allow, ask, deny
	Rule       string          `json:"rule"`
	Reason     message.Message `json:"reason"`
	Hint       message.Message `json:"hint"`
	Addresses  []string        `json:"addresses"`
	Unresolved bool            `json:"unresolved"` // the name has no address now
	Grantable  bool            `json:"grantable"`  // [API.AllowHost] of Host would open it
	Host       string          `json:"host"`
	Stages     []URLStage      `json:"stages"` // what was asked, in order
	Change     *LineChange     `json:"change"` // the one line that would change the verdict
}

// URLStage is one stage of a decision.
type URLStage struct {
	Name       string            `json:"name"` // floor, exceptions, redirect, bans, manifest, list, who, rules, read, address
	Verdict    string            `json:"verdict"`
	Rule       string            `json:"rule"`
	Reason     message.Message   `json:"reason"`
	NearMisses []message.Message `json:"near"` // entries that would almost have matched, and why they don't
}

// LineChange is a line of the configuration, and the verdict with it.
type LineChange struct {
	Location message.Message `json:"where"`
	Text     string          `json:"text"`
	Verdict  string          `json:"verdict"`
}
