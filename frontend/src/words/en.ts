// English. The keys and the shapes of these words are the contract of every
// other language: see words.svelte.ts.

const steps = (n: number) => (n === 1 ? '1 step' : `${n} steps`);

export const en = {
  tag: 'en',

  goal: {
    ask: 'What should I do?',
    field: 'Your goal, in your own words',
    try: 'Try',
    lately: 'Lately',
    tooLong: 'That is too long to be one goal.',
  },

  reading: {
    steps,
    opens: (hosts: string[]) => `opens ${hosts.join(', ')}`,
    unsupported: 'I can’t do that yet.',
    ambiguous: 'I need one answer first.',
  },

  plan: {
    planning: 'Planning…',
    minimal: 'Can’t be fewer.',
    partial: 'Only a part of it can be done.',
    run: 'Run',
    cancel: 'Cancel',
    change: 'Change…',
    after: (ids: string[]) => `after ${ids.join(', ')}`,
  },

  gate: {
    runs: 'Allowed',
    asks: 'Waiting for your yes',
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
    needs_approval: 'Needs your yes',
    interrupted: 'Stopped',
    skipped: 'skipped',
  },

  run: {
    stop: 'Stop',
    stopping: 'Stopping…',
    again: 'Again',
    another: 'New goal',
    retry: 'Try again',
    steps: 'What was done',
    doing: 'What is being done',
    shot: (title: string) => `Picture of the page ${title}`,
    connections: 'Connections',
    allowed: (n: number) => `${n} allowed`,
    stopped: (n: number) => `${n} stopped`,
    notListed: 'stopped',
    more: (n: number) => `${n} more`,
  },

  failure: {
    validation_error: 'That can’t be done as written',
    policy_denied: 'Not allowed',
    tool_timeout: 'It took too long',
    tool_unavailable: 'Something is missing',
    execution_error: 'It didn’t work',
    unknown: 'It didn’t work',
  },

  safe: {
    title: 'Safe mode',
    why: 'The configuration has faults, so nothing runs. Mend these and start Errand again.',
    line: (n: number) => `line ${n}`,
  },

  demo: 'Demo: a built-in site stands for the web.',

  closing: {
    title: 'A goal is being carried out',
    body: 'Closing the window stops it.',
    stop: 'Stop and close',
    keep: 'Keep open',
  },

  ago: {
    now: 'just now',
    minutes: (n: number) => `${n} min ago`,
    today: (time: string) => `today ${time}`,
    yesterday: (time: string) => `yesterday ${time}`,
  },
};
