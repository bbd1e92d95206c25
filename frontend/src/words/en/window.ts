// The window around the rooms: rail, palette, keys, overlays.

export const window = {
  rooms: {
    goal: 'Goal',
    drafts: 'Waiting for you',
    runs: 'Runs',
    recipes: 'Recipes',
    plugins: 'Plugins',
    policy: 'Policy',
    settings: 'Settings',
    doctor: 'Doctor',
  },

  rail: {
    label: 'Rooms',
    waiting: (n: number) => `${n} waiting`,
    running: 'a goal is being carried out',
    plan: 'a plan waits',
  },

  palette: {
    title: 'Commands',
    field: 'What do you want to do?',
    none: 'Nothing of that name.',
    room: 'room',
    now: 'now',
    lately: 'lately',
    stop: 'Stop the run',
    plan: 'Look at the plan that waits',
    waiting: (n: number) => (n === 1 ? 'Look at the draft that waits' : `Look at the ${n} drafts that wait`),
    newGoal: 'New goal',
    transcript: 'Read what was heard, from a file…',
    again: 'Do it again',
    record: 'Open the record of this run',
    recipe: (name: string) => `Recipe: ${name}`,
    theme: (name: string) => `Theme: ${name}`,
    language: (name: string) => `Language: ${name}`,
    larger: 'Larger text',
    smaller: 'Smaller text',
    usual: 'Usual text size',
    close: 'Close the window',
  },

  keys: {
    title: 'Keys',
    or: 'or',
    never: 'Enter alone never approves anything.',
    close: 'Close',
    deeds: {
      plan: 'Make a plan of the goal',
      approve: 'Approve the plan that waits',
      stop: 'Stop the run at once',
      back: 'Go back, close what is open',
      palette: 'Commands',
      goal: 'A new goal',
      keys: 'This sheet',
      history: 'Earlier goals, in the goal field',
      complete: 'Suggestions, in the goal field',
      steps: 'Next and previous step',
      details: 'Details of a step',
      larger: 'Larger, smaller, usual text',
      close: 'Close the window',
    },
  },

  reach: {
    away: 'Errand doesn’t answer. The page tries again by itself.',
    closed: 'This page is closed.',
    locked: 'It has no session. Open the address that “errand serve” printed.',
  },

  state: {
    commandLine: 'On the command line:',
    loading: 'Still loading…',
    retry: 'Try again',
    back: 'Back',
  },

  safe: {
    title: 'Safe mode',
    why: 'The configuration has faults, so nothing runs. Mend these and start Errand again.',
    short: 'Safe mode: nothing runs until the configuration is mended.',
    show: 'Show the faults',
    here: 'In safe mode there is nothing to show here. Mend the configuration first.',
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

  length: {
    ms: (n: number) => `${n} ms`,
    s: (n: number) => `${n.toFixed(1)} s`,
  },

  sizes: ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as readonly string[],

  left: {
    minutes: (n: number) => `${n} min left`,
    seconds: (n: number) => `${n} s left`,
  },
};
