// Goal, plan and run.

import { count, number } from './count';

const steps = (n: number) => count(n, 'step', 'steps');
const things = (n: number) => count(n, 'thing', 'things');

export const flow = {
  goal: {
    ask: 'What should I do?',
    field: 'Your goal, in your own words',
    placeholder: 'open youtube and search nvidia',
    try: 'Try',
    lately: 'Lately',
    tooLong: 'That is too long to be one goal.',
    offers: 'Suggestions',
    offered: (n: number) => count(n, 'suggestion', 'suggestions'),
    used: 'used before',
    nearest: 'The nearest that I can do',
    near: 'Nearest',
    undo: (text: string) => `Take back: ${text}`,
    recipe: (text: string) => `Recipe: ${text}`,
    toPlan: 'plan',
    toCommands: 'commands',
    toKeys: 'keys',
  },

  reading: {
    steps,
    opens: (hosts: string[]) => `opens ${hosts.join(', ')}`,
    unsupported: 'I can’t do that yet.',
    ambiguous: 'I need one answer first.',
  },

  plan: {
    planning: 'Planning…',
    steps: 'Steps',
    minimal: 'It can’t be fewer.',
    partial: 'Only a part of it can be done.',
    unmet: (facts: string[]) => `Left out: ${facts.join(', ')}`,
    runSteps: (n: number) => `Run ${steps(n)}`,
    cancel: 'Cancel',
    change: 'Change…',
    after: (ids: string[]) => `after ${ids.join(', ')}`,
    why: 'Why?',
    rule: 'Rule',
    cuts: 'Each line is a need that no other step meets; every plan has a tool of each.',
    search: 'Every smaller set of tools was tried, and none reaches the goal.',
    destroys: 'Gone afterwards',
    changes: (n: number) => `changes ${things(n)}`,
    reversible: 'can be taken back',
    irreversible: 'can’t be taken back',
    allowHost: (host: string) => `Allow ${host}…`,
    allowRun: 'for this run',
    allowAlways: 'always',
    needsYou: 'A plan needs your yes.',
    needsAnswer: 'A plan needs an answer.',
  },

  scope: {
    title: 'How far your yes reaches',
    once: 'Once',
    run: 'This run',
    always: 'Always, for exactly this',
    onceWords: 'These steps, now. The next time I ask again.',
    runWords: 'These steps, and the hosts that they need, until this run ends.',
    alwaysWords: 'Exactly these calls with exactly these arguments, whenever you ask for them.',
    covers: 'What the yes covers',
    writes: (file: string) => `These lines go into ${file}:`,
    confirm: (n: number) => `It changes ${things(n)} at once. Type the number ${n} to approve.`,
    confirmField: 'How many',
  },

  question: {
    other: 'Something else…',
    own: 'Your own words',
    answer: 'Answer',
    heard: (percent: number) => `Heard, not typed; the listener was sure by ${percent} %.`,
    unsure: (percent: number) => `The listener was sure by ${percent} % only.`,
    said: (text: string) => `Did you say “${text}”?`,
    yes: 'Yes',
    no: 'No',
  },

  effect: {
    read: 'reads',
    navigate: 'opens a page',
    input: 'types',
    commit: 'sends',
    file: 'changes files',
    '': 'effect unknown',
  },

  risk: {
    bulk: 'Many at once',
    destructive: 'It destroys something',
    ambiguous: 'It can mean two things',
    missing_required: 'Something is missing',
    rate_limit_risk: 'It may be too fast for the other side',
  },

  gate: {
    runs: 'Allowed',
    asks: 'Waits for your yes',
    refused: 'Not allowed',
    question: 'One question first',
    done: 'Nothing to do',
    none: 'No plan',
  },

  verdict: { allow: 'allowed', ask: 'asks you', deny: 'not allowed', '': 'not checked' },

  status: {
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    denied: 'Not allowed',
    needs_approval: 'Waits for your yes',
    interrupted: 'Stopped',
    skipped: 'Skipped',
    rejected: 'You said no',
    unknown: 'Not known whether it happened',
  },

  run: {
    stop: 'Stop',
    stopping: 'Stopping…',
    again: 'Again',
    another: 'New goal',
    retry: 'Try again',
    recipe: 'Save as recipe',
    saved: (name: string) => `Saved as the recipe ${name}`,
    undo: 'Undo…',
    replay: 'Replay',
    export: 'Export',
    folder: 'Open the folder',
    exported: (file: string) => `Written to ${file}`,
    forget: 'Forget…',
    forgetSure: 'Forget this run and all that was written down of it?',
    forgetYes: 'Forget it',
    draft: 'Look at the draft',
    steps: 'What was done',
    doing: 'What is being done',
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    shot: (title: string) => `Picture of the page ${title}`,
    enlarge: 'Enlarge the picture',
    connections: 'Connections',
    allowed: (n: number) => `${number(n)} allowed`,
    stopped: (n: number) => `${number(n)} stopped`,
    times: (n: number) => `${n} times`,
    more: (n: number) => `and ${number(n)} more`,
    fewer: 'Show fewer',
    left: (n: number) => `${count(n, 'process', 'processes')} left`,
    result: 'Result',
    started: (text: string) => `Running: ${text}`,
    ended: (status: string, text: string) => `${status}: ${text}`,
    loading: 'Loading…',
  },

  waits: {
    title: 'A page waits for you',
    kinds: {
      captcha: 'The page wants to see that you are a person.',
      interstitial: 'The page checks who is there before it shows anything.',
      consent: 'The page wants your consent before it shows anything.',
    },
    now: 'See to it in the browser’s window: the run goes on by itself then.',
    left: (time: string) => `It waits ${time} more`,
  },

  replay: {
    same: 'Replayed offline: it comes to the same.',
    differs: 'Replayed offline: it comes to something else.',
    compared: (n: number, actions: number) => `${steps(n)} and ${count(actions, 'action', 'actions')} of the plan were compared.`,
    recorded: 'recorded',
    now: 'now',
    left: 'Not compared',
    policy: 'Today’s policy would say',
  },

  failure: {
    validation_error: 'That can’t be done as written',
    policy_denied: 'Not allowed',
    tool_timeout: 'It took too long',
    tool_unavailable: 'Something is missing',
    execution_error: 'It didn’t work',
    unknown: 'It didn’t work',
    away: 'No answer',
  },

  why: {
    away: 'Nothing is known of what you asked for. Try again when it answers.',
  },
};
