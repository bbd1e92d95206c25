// Generated from app/desktop by its test; do not edit.
// go test ./app/desktop -run TypeScript -update

export interface API {
  /** AgentStatus says whether language models can be asked, and what they may do. It sends nothing. */
  AgentStatus(): Promise<AgentStatus>;

  /** AgreeServer accepts the latest review. */
  AgreeServer(ask: ServerAgreement): Promise<void>;

  /** AllowHost grants a host in addition to the configuration. */
  AllowHost(ask: AllowAsk): Promise<Grant>;

  /** AnswerDraft answers questions of a draft. */
  AnswerDraft(id: string, answers: Answer[]): Promise<Draft>;

  /** Apply applies a ready draft exactly as it was approved. It returns like Approve. */
  Apply(id: string): Promise<Run>;

  /**
   * Approve approves a draft and applies it. It returns like Run, and the progress comes as
   * events. If the draft has to be reviewed again, the run's status is needs_approval.
   */
  Approve(approval: ApproveAsk): Promise<Run>;

  /**
   * ApproveLater approves a draft without applying it. The draft is ready until its approval
   * expires; Apply applies it. The scope of the approval is once.
   */
  ApproveLater(approval: ApproveAsk): Promise<Draft>;

  /**
   * AskModel gives a task to a language model, and returns like Run. Calls that need approval become a
   * draft; after its approval the model goes on in the same run.
   */
  AskModel(ask: TaskAsk): Promise<Run>;

  /** Attend sets whether the user looks at the page. If not, the end of a run is notified. */
  Attend(looking: boolean): Promise<void>;

  /**
   * ChangeSettings writes changes into errand.toml, all or none, and loads them. It keeps
   * the file's comments and order. An invalid change returns faults with their lines, not
   * an error. A change can end safe mode.
   */
  ChangeSettings(changes: SettingChange[]): Promise<Settings>;

  /**
   * Choose shows a dialog to choose a file or a folder, if Boot says that there are dialogs. It
   * returns "" if nothing was chosen.
   */
  Choose(ask: ChooseAsk): Promise<string>;

  /**
   * Close closes the window. If a run is active, stop ends it first; without stop, EventClose
   * asks the page.
   */
  Close(stop: boolean): Promise<void>;

  /**
   * Complete returns goals that begin with the typed words, the best first: goals of earlier
   * runs, by frequency and age, then goals of the grammar. Without words it returns only earlier
   * goals. It uses no network.
   */
  Complete(ask: CompleteAsk): Promise<Completion[]>;

  /**
   * ContinueRun goes on with the run of a language model that was stopped or failed, or whose draft was
   * rejected or has expired. It returns like Run.
   */
  ContinueRun(runID: string): Promise<Run>;

  /** DeleteRun deletes an ended run with its record and artifacts. */
  DeleteRun(runID: string): Promise<DeletedRuns>;

  /** Deny rejects some steps of a draft. Without steps it rejects the draft. */
  Deny(id: string, steps: string[]): Promise<Draft>;

  /** Doctor checks what the program needs on this machine. It takes up to 5 seconds. */
  Doctor(): Promise<Check[]>;

  /** Draft returns a draft. */
  Draft(id: string): Promise<Draft>;

  /**
   * Drafts lists the drafts that need approval, the newest first. With all, it includes the ended
   * ones.
   */
  Drafts(all: boolean): Promise<Draft[]>;

  /**
   * EditDraft changes the arguments of a step, or removes steps. It withdraws the draft's
   * approval.
   */
  EditDraft(ask: EditAsk): Promise<Draft>;

  /** EnablePlugin enables or disables a plugin at once. It may change errand.toml. */
  EnablePlugin(id: string, on: boolean): Promise<Plugin>;

  /** Export writes a run to a file. */
  Export(ask: ExportAsk): Promise<Exported>;

  /**
   * Forget deletes runs older than a number of days, or only counts them. It keeps the active run
   * and runs that need approval.
   */
  Forget(ask: ForgetAsk): Promise<DeletedRuns>;

  /** Get returns a run: the active one or an earlier one. */
  Get(id: string): Promise<Run>;

  /**
   * Grants lists the hosts that the user granted. Without all, it omits grants that have no
   * effect any more.
   */
  Grants(all: boolean): Promise<Grant[]>;

  /** InstallPlugin installs the proposed plugin after the user agreed. */
  InstallPlugin(ask: InstallAsk): Promise<Plugin>;

  /**
   * OpenFolder shows the files of a run, or the last file of Export, in the file manager.
   * The paths come from the record, never from the page. It works only if the user sits at this
   * machine.
   */
  OpenFolder(ask: FolderAsk): Promise<void>;

  /**
   * Plan makes a plan for the current world, with the policy decision for each step. It
   * runs nothing. If the plan has questions, call it again with the same goal and the
   * answers.
   */
  Plan(goal: Goal): Promise<Plan>;

  /** PlanRecipe does the same as Plan for a recipe with its parameters. */
  PlanRecipe(ask: RecipeAsk): Promise<Plan>;

  /**
   * PlanSteps returns a range of the steps of the last plan, of which Plan returns the first 200.
   * An approval covers all of them.
   */
  PlanSteps(ask: PlanStepsAsk): Promise<StepsPage>;

  /** Plugins lists the installed plugins. */
  Plugins(): Promise<Plugin[]>;

  /** Policy returns the current policy. */
  Policy(): Promise<Policy>;

  /**
   * ProposeEnable reads a plugin that someone put into the data folder and describes its rights.
   * InstallPlugin enables it.
   */
  ProposeEnable(id: string): Promise<PluginProposal>;

  /**
   * ProposePlugin reads a plugin and describes the rights that installing it would grant. It
   * changes nothing.
   */
  ProposePlugin(ask: PluginAsk): Promise<PluginProposal>;

  /**
   * ProposeUpdate reads an installed plugin again from its source. It keeps granted folders,
   * unless it gets another folder for the same root.
   */
  ProposeUpdate(ask: UpdateAsk): Promise<PluginProposal>;

  /** Read describes what the typed words would do. */
  Read(text: string): Promise<Reading>;

  /**
   * ReadTranscript reads the JSON output of a speech recogniser, {"file_id", "transcript",
   * "confidence"}, for use as a goal's voice.
   */
  ReadTranscript(text: string): Promise<Voice>;

  /** Recipes lists the user's recipes by name, including those that can't be read. */
  Recipes(): Promise<Recipe[]>;

  /** RemovePlugin removes an installed plugin and its grants. */
  RemovePlugin(id: string): Promise<void>;

  /** RemoveRecipe deletes the file of a recipe, even if it can't be read. */
  RemoveRecipe(name: string): Promise<void>;

  /**
   * Replay replays a recorded run offline and reports whether the result is the same. It changes
   * nothing.
   */
  Replay(runID: string): Promise<Replay>;

  /** ReviewServer starts a server or connects to it, and compares its tools with what the user agreed to. */
  ReviewServer(name: string): Promise<ServerReview>;

  /** Revoke ends a grant at once, also for active runs. */
  Revoke(id: string): Promise<Grant>;

  /**
   * Run starts a goal and returns as soon as the run has its id. The progress comes as events.
   * Without an approval, a plan that needs one becomes a draft. An approval counts only for the
   * plan that was shown.
   */
  Run(ask: RunAsk): Promise<Run>;

  /** RunRecipe does the same as Run for a recipe. It ignores the goal in ask. */
  RunRecipe(of: RecipeAsk, ask: RunAsk): Promise<Run>;

  /** Runs returns a part of the history, the newest run first. */
  Runs(ask: RunsAsk): Promise<RunsPage>;

  /**
   * SaveRecipe makes a recipe of a completed run and stores it by a name. If the name is taken
   * and Replace is false, the error's code is recipe_taken.
   */
  SaveRecipe(ask: SaveRecipeAsk): Promise<Recipe>;

  /** Servers lists the servers of the configuration. It starts none. */
  Servers(): Promise<Server[]>;

  /**
   * Settings returns the settings that can be changed here. In safe mode the values are the
   * defaults, and the problems describe the file's errors.
   */
  Settings(): Promise<Settings>;

  /**
   * Start returns what the page needs first. languages are the language tags of the user's
   * system, the preferred one first. They count if the configuration sets no language. If there
   * are several pages, the last call counts.
   */
  Start(languages: string[]): Promise<Boot>;

  /** Steps returns a range of a run's steps. */
  Steps(ask: StepsAsk): Promise<StepsPage>;

  /**
   * Stop interrupts the active run and returns at once. The run's last event says when it
   * has ended and how many processes are still alive.
   */
  Stop(): Promise<void>;

  /**
   * TestProvider says hello to a provider, and reports how long the answer took or why there is none. It sends
   * nothing else, also if the agent is off.
   */
  TestProvider(name: string): Promise<ProviderTest>;

  /**
   * TryURL returns the policy decision about a URL, stage by stage, and what would change it. It
   * fetches nothing.
   */
  TryURL(url: string): Promise<URLVerdict>;

  /** UndoRun creates a draft that undoes a run. It changes nothing else. */
  UndoRun(runID: string): Promise<Draft>;

  /** VerifyPlugins checks an installed plugin, or all for "", against the lock. */
  VerifyPlugins(id: string): Promise<PluginVerified[]>;

  /**
   * WishOf returns the wish of a plan by the plan's key. A reloaded page makes the plan again
   * from it. The wish has neither goal nor recipe if the program has forgotten the plan.
   */
  WishOf(key: string): Promise<Wish>;

  /** WithdrawServer removes the user's agreement to a server. */
  WithdrawServer(name: string): Promise<void>;
}

export interface Events {
  run: RunEvent;
  waiting: WaitingEvent;
  close_asked: void;
}

/** AgentStatus says whether language models can be asked, and what they may do. */
export interface AgentStatus {
  enabled: boolean;
  /** a task can be given to a model */
  ready: boolean;
  /** why not */
  faults: string[];
  providers: Provider[];
  /** that a model can be given, by name */
  tools: AgentTool[];
  /** tokens, by all programs */
  used_today: number;
  /** 0: none */
  day_limit: number;
  /** in dollars; "" if nothing has a price */
  spent_today: string;
}

/** Provider is a provider of language models. It never has the key. */
export interface Provider {
  name: string;
  model: string;
  base_url: string;
  /** where the words go */
  host: string;
  /** in the order in which providers are asked; 0: it is not asked */
  place: number;
  key: string;
  /** the environment variable that has the key */
  variable: string;
  /** the item of the desktop's secret service that is the key */
  secret: string;
  /** why the key is not there */
  reason: string;
  /** the command that stores the key there; "": there is none */
  store: string;
  /** it has a place, and what it needs */
  can_be_asked: boolean;
}

/** AgentTool is a tool that a model can be given. */
export interface AgentTool {
  name: string;
  title: string;
  /** it changes nothing */
  reads: boolean;
  allowed: boolean;
}

/** ServerAgreement accepts a review. */
export interface ServerAgreement {
  token: string;
  /** tools that only read */
  reading: string[];
}

/** AllowAsk allows a host. In an active run it applies from its next request. */
export interface AllowAsk {
  /** a host, or *.host */
  pattern: string;
  /** once, run, always */
  scope: string;
  /** glob; "" for any */
  tool: string;
  /** "" for any */
  plugin: string;
  /** 0: no end */
  until: number;
}

/** Grant is a host or a folder that the user allowed in addition to the configuration. */
export interface Grant {
  id: string;
  /** of the host, or the folder */
  pattern: string;
  /** once, run, always */
  scope: string;
  tool: string;
  plugin: string;
  origin: string;
  until: number;
  /** open, used, ended, revoked */
  state: string;
  /** the run that used it */
  run_id: string;
  granted_at: number;
  granted_by: string;
  revoked_at: number;
  /** for a new grant: why it has no effect */
  note: string;
}

/** Answer answers a question. */
export interface Answer {
  /** of the question */
  id: string;
  /** of a choice, or free text if the question allows it */
  value: string;
}

/** Draft is a plan that needs approval, or an ended draft. */
export interface Draft {
  draft_id: string;
  run_id: string;
  /** the goal */
  text: string;
  language: string;
  /** draft, ready, applying, applied, failed, blocked, cancelled, expired */
  state: string;
  /** nothing can change it any more */
  final: boolean;
  /** for the state, such as who cancelled it */
  reason: string;
  created_at: number;
  expires_at: number;
  approved: string[];
  /** 0: not ready */
  approved_until: number;
  /** of the shown draft; an approval names the one that the user saw */
  revision: string;
  /** of the plan; "" while a question is open */
  digest: string;
  steps: Step[];
  /** unanswered questions */
  questions: Question[];
  answers: Answer[];
  risks: Risk[];
  /** the number that has to be confirmed; 0: none */
  confirm: number;
  scopes: Scope[];
  /** why the plan covers only a part of the goal */
  partly: string;
  unmet: string[];
  /** the run that it undoes */
  undoes: string;
  /** it contains a secret, which is not stored: the user has to run the goal again */
  withheld: boolean;
  irreversible: Irreversible[];
}

/**
 * Step is one action of a plan with its policy decision and its outcome. It embeds the
 * plan's action. Its preview is never empty, and its arguments are texts. Status is ""
 * until it starts.
 */
export interface Step {
  action_id: string;
  tool: string;
  depends_on: string[];
  expected_effect: string;
  reason: string;
  preview: string;
  confidence: number;
  risk_level: string;
  read_only: boolean;
  several?: boolean;
  idempotency_scope: string;
  /** in the plan, from 0 */
  index: number;
  /** all arguments, in full; they hide those of the action */
  args: Pair[];
  host: string;
  /** read, write, auth; "" if unknown */
  class: string;
  /** read, navigate, input, commit, file; "" if unknown */
  effect: string;
  /** allow, ask, deny; "" before the policy check */
  verdict: string;
  rule: string;
  /** policy's reason */
  because: string;
  /** the one change that would change the verdict */
  would_allow: string;
  /** AllowHost of its host would allow it */
  grantable: boolean;
  /** the expected changes, if its tool reports them */
  forecast: Forecast | null;
  /** it destroys something for good and the plan has other steps: an approval has to name it in confirmed */
  needs_confirmation: boolean;
  /** running, done, failed, denied, needs_approval, cancelled, interrupted, skipped, rejected, unknown */
  status: string;
  started_at: number;
  duration_ms: number;
  result: Fact[];
  untrusted: Untrusted | null;
  page: Page | null;
  error: Failure | null;
}

/** Pair is a name and a value as the user reads them. */
export interface Pair {
  name: string;
  value: string;
  /** the value with hidden characters made visible, if that differs */
  shown?: string;
}

/** Forecast is what a step would change. */
export interface Forecast {
  /** what would be deleted or overwritten, the first 50 */
  destroys: string[];
  /** number of changed things */
  count: number;
  reversible: boolean;
  note: string;
}

/** Fact is a name and a value in a result. */
export interface Fact {
  name: string;
  value: string;
  /** bytes of the value that are not here */
  left_out?: number;
}

/** Untrusted says that a result has text that others wrote. */
export interface Untrusted {
  /** where it is from, as far as it is known */
  from: string[];
  /** parts that read like instructions to a model */
  suspicious: string[];
  /** bytes that the page hid from people, and that the model did not get */
  hidden: number;
}

/**
 * Page is where a browser step ended. Title and URL come from the page and are
 * shown as text only.
 */
export interface Page {
  url: string;
  title: string;
  /** path on the asset server; "" for none */
  screenshot: string;
}

/** Failure is an error that is sent to the page. */
export interface Failure {
  class: string;
  code: string;
  message: string;
  hint: string;
  /** the same call may work later */
  retriable: boolean;
}

/** Question is a question to answer before a plan can be made. */
export interface Question {
  id: string;
  question: string;
  choices: Choice[];
  free_text: boolean;
  /** for a question about words that no rule used; null: none */
  unused: Unused | null;
}

/** Choice is an offered answer to a question. */
export interface Choice {
  label: string;
  value: string;
}

/** Unused are words of the goal that no rule used, with the rest of the goal. */
export interface Unused {
  before: string;
  words: string;
  after: string;
}

/** Risk is a flag on a whole plan. */
export interface Risk {
  /** bulk, destructive, ambiguous, missing_required, rate_limit_risk */
  kind: string;
  details: string;
}

/** Scope is a scope that the user can approve, with everything that it covers. */
export interface Scope {
  scope: 'once' | 'run' | 'always';
  available: boolean;
  /** why it is not available */
  why: string;
  /** exactly what is approved */
  covers: Cover[];
  /** for always: the lines to add to errand.toml */
  writes: string;
  /** for always: that file */
  file: string;
}

/** Cover is one call or host that a scope approves. */
export interface Cover {
  /** "" if it is only a host */
  tool: string;
  does: string;
  /** all arguments, in full */
  args: Pair[];
  host: string;
}

/** Irreversible is a step of a run that can't be undone. */
export interface Irreversible {
  step_id: string;
  tool: string;
  why: string;
}

/** Run is the current state of one run. */
export interface Run {
  run_id: string;
  /** of the last event in this view */
  seq: number;
  text: string;
  /** running, done, failed, denied, needs_approval, cancelled, interrupted */
  status: string;
  /** it was asked to stop and has not ended */
  stopping: boolean;
  started_at: number;
  duration_ms: number;
  /** its steps have their outcomes */
  plan: Plan;
  counts: Counts;
  answer: string;
  connections: Connections;
  /** the draft that waits, or that the run applied */
  draft_id: string;
  /** number of files that its steps created: pictures, downloads */
  files: number;
  /** at least one step can be undone */
  can_undo: boolean;
  /** a page that waits for the user; null: none */
  waits: PageWait | null;
  /** processes of the run that are alive after its end; -1: not counted */
  processes: number;
  error: Failure | null;
  /** the conversation, if a language model plans the run; null: it does not */
  agent: Agent | null;
}

/** Plan is a plan with the policy decision for every step. */
export interface Plan {
  text: string;
  language: string;
  gate: 'runs' | 'asks' | 'refused' | 'question' | 'done' | 'none';
  /** of planning: success, partial, … */
  status: string;
  summary: string;
  /** why there is no plan, or only a part */
  reason: string;
  /** what its words mean by earlier goals: "it = ~/Documents/notes.txt" */
  means: string[];
  /** why there is no shorter plan */
  proof: Proof;
  /** an approval is bound to it */
  digest: string;
  /** hosts that the plan contacts */
  hosts: string[];
  /** number of steps */
  total: number;
  /** the first 200; PlanSteps has the others, Steps those of a run */
  steps: Step[];
  destructive: number;
  questions: Question[];
  /** the answers that it was made with */
  answers: Answer[];
  /** similar supported goals, if this one is unsupported */
  nearest: string[];
  risks: Risk[];
  unmet: string[];
  /** the number of changes to confirm; 0: none */
  confirm: number;
  /** possible scopes of an approval, if the gate is asks */
  scopes: Scope[];
  voice: Voice | null;
  /** the recipe of the plan; null: a goal */
  recipe: RecipeAsk | null;
  /** for WishOf; "" for the plan of a run */
  key: string;
  /** there is no plan, and a language model may be offered the words */
  may_ask: boolean;
}

/**
 * Proof shows that no plan has fewer steps. Cuts are disjoint sets of tools; every plan needs a
 * tool of each. Search means that all smaller sets of tools were tried. None means
 * that there is no proof.
 */
export interface Proof {
  /** cuts, search, none; "" without a plan */
  kind: string;
  cuts: Cut[];
}

/** Cut is a set of tools; every plan needs at least one of them. */
export interface Cut {
  tools: string[];
}

/**
 * Voice is a spoken goal. If its confidence is less than 0.70, the plan asks the user to
 * confirm it.
 */
export interface Voice {
  file_id: string;
  transcript: string;
  /** 0 to 1 */
  confidence: number;
}

/** RecipeAsk asks for a recipe with values for its parameters. */
export interface RecipeAsk {
  name: string;
  /** the other parameters have their defaults */
  values: Pair[];
}

/** Counts are the numbers of a run's steps by status. */
export interface Counts {
  total: number;
  running: number;
  done: number;
  /** also denied, interrupted and unknown ones */
  failed: number;
  skipped: number;
}

/** Connections summarizes the network connections of a run. */
export interface Connections {
  allowed: number;
  stopped: number;
  /** in the order of first contact, the first 500 */
  hosts: Host[];
}

/** Host is one host that a run tried to contact. */
export interface Host {
  name: string;
  /** the strictest verdict */
  verdict: string;
  rule: string;
  because: string;
  /** AllowHost would allow it */
  grantable: boolean;
  count: number;
}

/**
 * PageWait is a page that waits for the user, such as a captcha. The user answers it in
 * the browser's window, and the run continues.
 */
export interface PageWait {
  /** captcha, interstitial, consent */
  kind: string;
  /** of the page */
  url: string;
  /** the step fails at this time */
  until: number;
}

/** Agent is the conversation of a run that a language model plans. The calls are the steps of the run's plan. */
export interface Agent {
  turns: Turn[];
  /** that were answered */
  requests: number;
  tokens_in: number;
  tokens_out: number;
  /** in dollars; "" if no price is known */
  cost: string;
  /** requests that Cost lacks */
  unpriced: number;
  max_steps: number;
  max_tokens: number;
  max_wall_ms: number;
  max_failures: number;
  /** completed, awaiting_approval, max_steps, …; "" while it runs */
  stop_reason: string;
  /** ContinueRun goes on with it */
  can_continue: boolean;
}

/** Turn is one answer of the model. Its text is untrusted. */
export interface Turn {
  /** from 1 */
  number: number;
  provider: string;
  model: string;
  text: string;
  /** bytes of the text that are not here */
  left_out: number;
  tokens_in: number;
  tokens_out: number;
  /** action ids of the run's steps */
  calls: string[];
  failed: Failed[];
  answered: boolean;
}

/** Failed is a request to a provider that was not answered. */
export interface Failed {
  provider: string;
  why: string;
  duration_ms: number;
}

/** ApproveAsk approves a draft. */
export interface ApproveAsk {
  draft_id: string;
  /** that the user saw; if it is not the current one, nothing is approved */
  revision: string;
  /** ids of the approved steps; empty: all remaining ones */
  actions: string[];
  /** "" is once */
  scope: 'once' | 'run' | 'always';
  /** the number that the user confirmed; 0: none */
  confirm: number;
  /** ids of the steps with a confirmation of their own; others that need it wait */
  confirmed: string[];
}

/** TaskAsk gives a task to a language model. */
export interface TaskAsk {
  text: string;
  /** the only one to be asked; "": those of the configuration */
  provider: string;
}

/** SettingChange sets a setting, or removes it from the file. */
export interface SettingChange {
  key: string;
  text: string;
  flag: boolean;
  number: number;
  list: string[];
  /** to the default */
  reset: boolean;
}

/** Settings is the configuration as the user can change it here. */
export interface Settings {
  file: string;
  /** the file exists; the first change creates it */
  found: boolean;
  entries: Setting[];
  /** of a change that was not made */
  faults: Problem[];
}

/** Setting is one value. Kind says which of Text, Flag, Number and List contains it. */
export interface Setting {
  /** "ui.theme" */
  key: string;
  /** text, choice, flag, number, list */
  kind: string;
  text: string;
  flag: boolean;
  number: number;
  list: string[];
  /** of a choice */
  choices: string[];
  /** the user has not set it */
  default: boolean;
  /** "default", "errand.toml:12", an environment variable */
  source: string;
  /** the environment sets it, so it can't be changed here */
  locked: boolean;
}

/** Problem is an error in the configuration. */
export interface Problem {
  /** file name or environment variable */
  source: string;
  /** from 1; 0 if unknown */
  line: number;
  key: string;
  message: string;
}

/** ChooseAsk asks for a file or folder in a dialog. */
export interface ChooseAsk {
  /** folder, plugin (a file) */
  kind: string;
  title: string;
}

/** CompleteAsk asks for completions of typed words. */
export interface CompleteAsk {
  text: string;
  /** 1 to 20 */
  limit: number;
}

/**
 * Completion is a goal that completes the typed words. Earlier goals come first,
 * ordered by frequency and age. The order depends only on the words and the history.
 */
export interface Completion {
  text: string;
  /** history, grammar */
  source: string;
  /** prefix, words, fuzzy: how the typed words match it */
  match: string;
  /** last; 0 for the grammar's */
  used_at: number;
  uses: number;
}

/** DeletedRuns is what was deleted, or would be. */
export interface DeletedRuns {
  before: number;
  runs: number;
  drafts: number;
  artifacts: number;
  bytes: number;
}

/** Check is one result of the doctor. */
export interface Check {
  name: string;
  /** ok, warn, fail */
  status: string;
  detail: string;
  cure: string;
}

/** EditAsk changes a draft. */
export interface EditAsk {
  draft_id: string;
  /** the step whose arguments Set changes; "" for none */
  step: string;
  set: SetArg[];
  /** ids of steps to remove */
  drop: string[];
}

/** SetArg sets the value of an argument. */
export interface SetArg {
  name: string;
  value: string;
  /** Value is JSON, not text */
  json: boolean;
  /** remove the argument */
  remove: boolean;
}

/** Plugin is a plugin in the list. */
export interface Plugin {
  id: string;
  version: string;
  description: string;
  /** on, off, refused, new, changed */
  state: string;
  /** bundled, installed, folder; decides what can be done with it */
  origin: string;
  abi: string;
  tools: string[];
  permissions: string[];
  hosts: string[];
  paths: string[];
  /** the folder from which it is loaded */
  from: string;
  /** SHA-256 of the module */
  digest: string;
  /** where an installed plugin came from */
  source: string;
  /** key id; "" for unsigned */
  signer: string;
  installed_at: number;
  /** why it is rejected, or disabled by the configuration */
  problem: Failure | null;
}

/** ExportAsk asks for a run as one file. */
export interface ExportAsk {
  run_id: string;
  /** bundle, otlp; "" is bundle */
  format: string;
}

/**
 * Exported is a run as one file. In a window the user chooses where to save it;
 * elsewhere the page gets the text to save.
 */
export interface Exported {
  /** suggested file name */
  name: string;
  media_type: string;
  /** path of the saved file; "" if the page saves it */
  saved: string;
  /** the user chose no file */
  cancelled: boolean;
  /** for the page to save */
  text: string;
}

/** ForgetAsk names the runs to delete. */
export interface ForgetAsk {
  /** 0: all */
  older_than_days: number;
  /** only count them */
  count_only: boolean;
}

/** InstallAsk accepts a proposal. */
export interface InstallAsk {
  token: string;
  /** also accept wider rights */
  wider: boolean;
  downgrade: boolean;
}

/** FolderAsk names the folder to show. */
export interface FolderAsk {
  /** the folder of this run's files; "": of the last export */
  run_id: string;
}

/** Goal is a user's goal with the answers to its questions. */
export interface Goal {
  text: string;
  /** to questions of earlier plans of the same goal */
  answers: Answer[];
  /** the goal was spoken; Text is ignored */
  voice: Voice | null;
}

/** PlanStepsAsk asks for a part of the steps of the last plan. */
export interface PlanStepsAsk {
  /** of that plan */
  digest: string;
  /** index of the first, from 0 */
  from: number;
  /** 1 to 500 */
  limit: number;
}

/** StepsPage is a part of a run's steps, or of a plan's. */
export interface StepsPage {
  /** "" for a plan */
  run_id: string;
  /** of the last event in these steps */
  seq: number;
  from: number;
  total: number;
  steps: Step[];
}

/** Policy is the current policy. */
export interface Policy {
  file: string;
  /** policy.allowed_domains */
  allowed: Listed[];
  /** entries for several hosts that are not in Allowed */
  addable: Listed[];
  /** policy.allow_private */
  allow_private: Listed[];
  user_goal_tools: Listed[];
  rules: Rule[];
  /** public, listed */
  subresources: string;
  /** those that still have an effect */
  grants: Grant[];
}

/** Listed is an entry of a list of the configuration. */
export interface Listed {
  entry: string;
  /** the patterns of "@catalogue", all known sites */
  means: string[];
  /** default, the file and line, or an environment variable */
  source: string;
}

/** Rule is one of the user's own rules. */
export interface Rule {
  /** rules0 */
  name: string;
  verdict: string;
  /** field of the rule, or JSON pointer of an argument, with value or glob */
  conditions: Pair[];
  reason: string;
  until: number;
}

/** PluginProposal is a plugin that was read and is not installed yet. */
export interface PluginProposal {
  /** for InstallPlugin; valid until the next proposal */
  token: string;
  id: string;
  version: string;
  /** the installed version; "": none */
  was: string;
  description: string;
  source: string;
  digest: string;
  /** key id; "" for unsigned */
  signer: string;
  signature: string;
  permissions: string[];
  /** differences from the installed plugin, wider rights first */
  changes: PluginChange[];
  /** it gets wider rights, which the user has to accept separately */
  widens: boolean;
  /** it is older, which the user has to accept separately */
  downgrade: boolean;
  /** it stays in its place in the data folder */
  in_place: boolean;
  /** it is already installed */
  same: boolean;
  /** it gets other folders than before */
  regrants: boolean;
  /** its roots with the granted folders */
  folders: FolderGrant[];
  /** its roots without a granted folder */
  ungranted: string[];
  /** hosts that policy doesn't allow */
  unlisted: string[];
}

/** PluginChange is one difference from the installed plugin. */
export interface PluginChange {
  text: string;
  widens: boolean;
}

/** FolderGrant gives a plugin folders for one of its roots. */
export interface FolderGrant {
  root: string;
  /** absolute, or with ~/ */
  folders: string[];
}

/** PluginAsk asks to read a plugin. */
export interface PluginAsk {
  /** a folder, a module, an archive or an https URL */
  source: string;
  /** of the file; required for a URL */
  sha256: string;
  folders: FolderGrant[];
}

/** UpdateAsk asks for a newer version of an installed plugin. */
export interface UpdateAsk {
  id: string;
  /** of the new file, if the plugin came from a URL */
  sha256: string;
  folders: FolderGrant[];
}

/** Reading describes what the typed words would do. */
export interface Reading {
  /** the goal that was read, so that a late answer can be dropped */
  text: string;
  /** ok, ambiguous, unsupported; "" for no words */
  status: string;
  language: string;
  /** one sentence for each step */
  does: string[];
  hosts: string[];
  reason: string;
  /** supported goals that are similar to an unsupported one */
  nearest: string[];
  questions: Question[];
  /** a language model may be offered the words */
  may_ask: boolean;
}

/** Recipe is a stored plan with a name. */
export interface Recipe {
  name: string;
  file: string;
  description: string;
  params: RecipeParam[];
  steps: number;
  /** why it can't run; "" if it can */
  problem: string;
}

/** RecipeParam is a parameter of a recipe. */
export interface RecipeParam {
  name: string;
  type: string;
  description: string;
  default: string;
  /** it has no default */
  needed: boolean;
  /** regular expression (RE2) of the whole value; "" for any */
  pattern: string;
}

/** Replay is the outcome of an offline replay of a record. */
export interface Replay {
  run_id: string;
  same: boolean;
  /** the first; null: Same */
  difference: Difference | null;
  /** number of compared steps */
  steps: number;
  /** number of compared actions of the plan */
  actions: number;
  not_compared: NotCompared[];
  /** how today's policy decides differently about the recorded plan */
  policy: Difference[];
  recorded_version: string;
  version: string;
}

/** Difference is one difference from the record. */
export interface Difference {
  /** setting, interpretation, plan, step, run, policy */
  where: string;
  step_id: string;
  field: string;
  recorded: string;
  now: string;
}

/** NotCompared is what a replay did not compare, and why. */
export interface NotCompared {
  where: string;
  step_id: string;
  field: string;
  why: string;
}

/** ServerReview is what the user is asked to agree to. */
export interface ServerReview {
  /** for AgreeServer; valid until the next review */
  token: string;
  name: string;
  /** the user has not agreed to it before */
  first: boolean;
  /** the user agreed to exactly this */
  same: boolean;
  access: string[];
  tools: ServerTool[];
}

/** ServerTool is a tool of a server. */
export interface ServerTool {
  name: string;
  description: string;
  /** the user said that it only reads */
  reads: boolean;
  /** the server says so */
  claims: boolean;
  /** new, changed, same, gone */
  state: string;
  /** lines that begin with "- ", "+ " or two spaces */
  diff: string[];
}

/** RunAsk asks to run a goal. */
export interface RunAsk {
  goal: Goal;
  /** digest of the plan that the user approved; "": a plan that needs approval becomes a draft */
  approved: string;
  /** of that approval; "" is once */
  scope: 'once' | 'run' | 'always';
  /** the number that the user confirmed; 0: none */
  confirm: number;
  /** ids of the steps with a confirmation of their own; others that need it wait in a draft */
  confirmed: string[];
}

/** RunsAsk asks for a part of the history. */
export interface RunsAsk {
  /** words in the goal or the answer, in any order and case; "" for all */
  query: string;
  /** of the runs; "" for all */
  status: string;
  /** index of the first, from 0 */
  from: number;
  /** 1 to 500 */
  limit: number;
}

/** RunsPage is a part of the history, the newest runs first. */
export interface RunsPage {
  /** number of runs found */
  total: number;
  from: number;
  runs: Line[];
}

/** Line is one run in a list. */
export interface Line {
  run_id: string;
  text: string;
  status: string;
  answer: string;
  actions: number;
  draft_id: string;
  started_at: number;
  duration_ms: number;
}

/** SaveRecipeAsk saves a run as a recipe. */
export interface SaveRecipeAsk {
  run_id: string;
  /** lower-case letters, digits, _ and -, at most 64 */
  name: string;
  /** replace a recipe with this name */
  replace: boolean;
}

/** Server is a server of the Model Context Protocol in the list. */
export interface Server {
  name: string;
  /** ready, off, unagreed, refused */
  state: string;
  /** its program or host */
  target: string;
  /** how it is reached, and what it may use */
  access: string[];
  /** that the user agreed to */
  tools: ServerTool[];
  problem: Failure | null;
}

/** Boot is what the page needs at its start. */
export interface Boot {
  version: string;
  /** of the window: "en" */
  language: string;
  /** system, light, dark, contrast */
  theme: string;
  /** built-in pages replace the web */
  demo: boolean;
  /** there are dialogs to choose files and folders; otherwise the user types a path */
  dialogs: boolean;
  /** id of the active run, if the page was reloaded */
  active: string;
  /** drafts that need approval */
  waiting: number;
  /** the configuration file, which may not exist */
  file: string;
  /** safe mode: why nothing can run */
  faults: Problem[];
}

/** StepsAsk asks for a part of a run's steps. */
export interface StepsAsk {
  run_id: string;
  /** index of the first, from 0 */
  from: number;
  /** 1 to 500 */
  limit: number;
}

/** ProviderTest is the outcome of a test of a provider. */
export interface ProviderTest {
  provider: string;
  /** as the provider names it */
  model: string;
  host: string;
  duration_ms: number;
  tokens_in: number;
  tokens_out: number;
  /** null: it answered */
  error: Failure | null;
}

/** URLVerdict is the policy decision about a URL that a goal would open. */
export interface URLVerdict {
  url: string;
  /** allow, ask, deny */
  verdict: string;
  rule: string;
  reason: string;
  hint: string;
  addresses: string[];
  /** the name has no address now */
  unresolved: boolean;
  /** AllowHost of Host would allow it */
  grantable: boolean;
  host: string;
  /** in order */
  stages: URLStage[];
  /** the one line that would change the verdict */
  change: LineChange | null;
}

/** URLStage is one stage of a decision. */
export interface URLStage {
  /** floor, exceptions, redirect, bans, manifest, list, who, rules, read, address */
  name: string;
  verdict: string;
  rule: string;
  reason: string;
  /** entries that nearly match, and why they don't */
  near: string[];
}

/** LineChange is a line of the configuration, and the verdict with it. */
export interface LineChange {
  where: string;
  text: string;
  verdict: string;
}

/** PluginVerified is the result of checking an installed plugin against the lock. */
export interface PluginVerified {
  id: string;
  version: string;
  ok: boolean;
  signer: string;
  problem: Failure | null;
}

/** Wish is the goal or recipe of a plan, without its secrets. */
export interface Wish {
  goal: Goal | null;
  recipe: RecipeAsk | null;
}

/**
 * RunEvent is a change of a run. Seq increases by one within a run. A page that misses a number
 * reads the run again with Get. At most 20 events are sent in a second; faster changes
 * are combined.
 */
export interface RunEvent {
  run_id: string;
  seq: number;
  /** at the start, at the end, and when a page begins or ends to wait for the user */
  run: Run | null;
  /** changed steps, in their current state */
  steps: Step[];
  /** set with Steps */
  counts: Counts | null;
  /** when they changed */
  connections: Connections | null;
  /** when what it used changed */
  agent: Agent | null;
}

/** WaitingEvent has the number of drafts that need approval. It is sent after drafts changed. */
export interface WaitingEvent {
  waiting: number;
}
