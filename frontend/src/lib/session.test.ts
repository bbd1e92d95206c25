import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api, boot, event, failure, plan, reading, run } from '../dev/samples';
import type { API, Completion, Line, Plan, Run, RunEvent } from './api';
import type { Program } from './bridge';
import { leftHere, type Left } from './left';
import { MAX_GOAL, READ_AFTER_MS, Session } from './session.svelte';

const completion = (text: string): Completion => ({ text, source: 'grammar', match: 'prefix', used_at: 0, uses: 0 });

const line = (text: string, run_id: string): Line => ({
  run_id, text, status: 'done', answer: '', actions: 1, draft_id: '', started_at: 0, duration_ms: 0,
});

const once = { scope: 'once' as const, confirm: 0, confirmed: [] };

/** A program whose answers a test sets, and whose events it sends. */
function fake(answers: Partial<API> = {}, left?: Left) {
  const calls: string[] = [];
  const heard: { [event: string]: (data: never) => void } = {};
  const usual: Partial<API> = {
    Start: async () => boot(),
    Read: async (text) => reading({ text }),
    Complete: async () => [],
    Plan: async () => plan(),
    Run: async () => run(),
    Get: async () => run(),
    Runs: async () => ({ total: 0, from: 0, runs: [] }),
    AllowHost: () => Promise.reject(failure()),
    Stop: async () => {},
    Close: async () => {},
  };
  const watched = Object.fromEntries(
    Object.entries({ ...usual, ...answers }).map(([name, answer]) => [
      name,
      (...args: never[]) => {
        calls.push(`${name} ${args.map((a) => (typeof a === 'object' ? JSON.stringify(a) : a)).join(' ')}`.trim());
        return (answer as (...args: never[]) => unknown)(...args);
      },
    ]),
  );
  const program: Program = { api: api(watched), on: (name, hear) => void (heard[name] = hear), title: () => {}, usable: () => {}, upload: null, picture: (p) => p };
  const called = (name: string) => calls.filter((c) => c.startsWith(`${name} `) || c === name);
  return {
    session: new Session(program, left),
    calls,
    called,
    send: (e: RunEvent) => heard['run']!(e as never),
    ask: () => heard['close_asked']!(undefined as never),
  };
}

/** A promise and how to settle it. */
function later<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((r) => (resolve = r));
  return { promise, resolve };
}

describe('typing', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('has the words read and completed once it rests', async () => {
    const { session, called } = fake({ Complete: async () => [completion('what time is it'), completion('what')] });
    session.type('wh');
    session.type('what');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    expect(called('Read')).toEqual(['Read what']);
    expect(session.reading?.does).toEqual(['Tell the time']);
    expect(session.completions.map((c) => c.text)).toEqual(['what time is it']); // not the words themselves
  });

  it('drops an answer to words that have changed', async () => {
    const slow = later<void>();
    const { session } = fake({
      Read: async (text) => {
        if (text === 'old') await slow.promise;
        return reading({ text, does: [text] });
      },
      Complete: async ({ text }) => {
        if (text === 'old') await slow.promise;
        return [completion(`${text} and more`)];
      },
    });
    session.type('old');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    session.type('new');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    slow.resolve();
    await vi.runAllTimersAsync();
    expect(session.reading?.does).toEqual(['new']);
    expect(session.completions.map((c) => c.text)).toEqual(['new and more']);
  });

  it.each(['', '   ', 'x'.repeat(MAX_GOAL + 1)])('does not read what is no goal', async (text) => {
    const { session, calls } = fake();
    session.type(text);
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    await session.submit();
    expect(calls).toEqual([]);
    expect(session.reading).toBeNull();
  });
});

describe('a goal', () => {
  it('runs at once where policy lets it', async () => {
    const { session, calls } = fake();
    await session.submit(' what time is it ');
    const goal = { text: 'what time is it', answers: [], voice: null };
    expect(calls).toEqual([`Plan ${JSON.stringify(goal)}`, `Run ${JSON.stringify({ goal, approved: '', scope: 'once', confirm: 0, confirmed: [] })}`]);
    expect([session.screen, session.active]).toEqual(['run', true]);
  });

  it.each(['asks', 'refused', 'question', 'done', 'none'] as const)('stops at a plan whose gate is %s', async (gate) => {
    const { session, called } = fake({ Plan: async () => plan({ gate }) });
    await session.submit('x');
    expect(called('Run')).toEqual([]);
    expect(session.screen).toBe('plan');
  });

  it('runs after an approval, which names the plan that was shown and how far the yes reaches', async () => {
    const { session, called } = fake({ Plan: async () => plan({ gate: 'asks', digest: 'shown' }) });
    await session.submit('what time is it');
    await session.approve({ scope: 'always', confirm: 5, confirmed: ['a2'] });
    const goal = { text: 'what time is it', answers: [], voice: null };
    expect(called('Run')).toEqual([`Run ${JSON.stringify({ goal, approved: 'shown', scope: 'always', confirm: 5, confirmed: ['a2'] })}`]);
    expect(session.screen).toBe('run');
  });

  it.each(['refused', 'question', 'none', 'done'] as const)('cannot be approved where the gate is %s', async (gate) => {
    const { session, called } = fake({ Plan: async () => plan({ gate }) });
    await session.submit('x');
    await session.approve(once);
    expect(called('Run')).toEqual([]);
  });

  it('is planned again with the answer to its question, and runs where nothing else stands before it', async () => {
    const { session, called } = fake({ Plan: async ({ answers }) => plan({ text: 'delete x', answers, gate: answers.length === 2 ? 'runs' : 'question' }) });
    await session.submit('delete x');
    await session.answer({ id: 'kind', value: 'file' });
    await session.answer({ id: 'kind', value: 'folder' }); // the last word counts
    await session.answer({ id: 'sure', value: 'yes' });
    expect(called('Plan').at(-1)).toContain('"answers":[{"id":"kind","value":"folder"},{"id":"sure","value":"yes"}]');
    expect(session.screen).toBe('run');
  });

  it('is judged again after its host was allowed, and then waits for a key', async () => {
    let gate: Plan['gate'] = 'refused';
    const AllowHost = vi.fn<API['AllowHost']>(async () => {
      gate = 'runs';
      return {} as Awaited<ReturnType<API['AllowHost']>>;
    });
    const { session, called } = fake({ Plan: async () => plan({ gate }), AllowHost });
    await session.submit('open example.org');
    await session.allow({ pattern: 'example.org', scope: 'run', tool: '', plugin: '', until: 0 });
    expect([session.screen, session.plan?.gate, called('Run')]).toEqual(['plan', 'runs', []]);
    await session.approve(once);
    expect(called('Run')[0]).toContain('"approved":""');
  });

  it('is sent once, however often Enter is pressed', async () => {
    const slow = later<Plan>();
    const { session, called } = fake({ Plan: () => slow.promise });
    const first = session.submit('x');
    await session.submit('x');
    slow.resolve(plan());
    await first;
    expect(called('Plan')).toHaveLength(1);
  });

  it('shows what went wrong and keeps the words', async () => {
    const { session } = fake({ Plan: () => Promise.reject(failure()) });
    await session.submit('x');
    expect([session.failure, session.text, session.screen, session.busy]).toEqual([failure(), 'x', 'goal', false]);
  });
});

describe('a plan that is left', () => {
  const goal = { text: 'delete x', answers: [{ id: 'kind', value: 'folder' }], voice: null };
  const trip = { name: 'trip', values: [] };

  it('by a page that is loaded again is made anew, and waits whatever policy would let run', async () => {
    const { session, called } = fake({ WishOf: async () => ({ goal, recipe: null }) }, leftHere('k1'));
    await session.start();
    await session.lookAgain((await session.left())!);
    expect(called('WishOf')).toEqual(['WishOf k1']);
    expect(called('Plan')).toEqual([`Plan ${JSON.stringify(goal)}`]);
    expect([session.screen, session.text, called('Run')]).toEqual(['plan', 'delete x', []]);
  });

  it('may be that of a recipe', async () => {
    const { session, called } = fake({ WishOf: async () => ({ goal: null, recipe: trip }), PlanRecipe: async () => plan({ recipe: trip }) }, leftHere('k1'));
    await session.lookAgain((await session.left())!);
    expect([session.screen, called('PlanRecipe'), called('RunRecipe')]).toEqual(['plan', [`PlanRecipe ${JSON.stringify(trip)}`], []]);
  });

  it('is looked for once, and never over what is shown', async () => {
    const left = leftHere('k1');
    const { session, called } = fake({ WishOf: async () => ({ goal: null, recipe: null }), Plan: async () => plan({ gate: 'asks' }) }, left);
    expect([await session.left(), left.get()]).toEqual([null, '']); // the program knows of none
    await session.submit('delete x');
    expect([await session.left(), left.get()]).toEqual([null, 'k1']); // it is there: nothing was loaded again
    expect(called('WishOf')).toHaveLength(1);
  });

  it('is kept as long as it is shown, and no longer', async () => {
    const left = leftHere();
    const { session } = fake({ Plan: async () => plan({ gate: 'asks', key: 'k7' }) }, left);
    await session.submit('delete x');
    expect(left.get()).toBe('k7');
    session.back();
    expect(left.get()).toBe('');
    await session.submit('delete x');
    await session.approve(once);
    expect([session.screen, left.get()]).toEqual(['run', '']);
  });

  it('is not kept of a goal that runs at once, nor while a yes is on its way', async () => {
    const left = leftHere();
    const slow = later<Run>();
    let gate: Plan['gate'] = 'runs';
    const { session } = fake({ Plan: async () => plan({ gate }), Run: () => slow.promise }, left);
    void session.submit('x');
    await vi.waitFor(() => expect(session.plan).not.toBeNull());
    expect(left.get()).toBe('');
    gate = 'asks';
    const other = fake({ Plan: async () => plan({ gate }), Run: () => slow.promise }, left);
    await other.session.submit('x');
    void other.session.approve(once);
    expect(left.get()).toBe('');
  });

  it('and is another one by the time of the yes is shown as it is now, with why', async () => {
    const left = leftHere();
    let key = 'k1';
    const { session, called } = fake({ Plan: async () => plan({ gate: 'asks', key }), Run: () => Promise.reject(failure({ code: 'plan_changed' })) }, left);
    await session.submit('delete x');
    key = 'k2';
    await session.approve(once);
    expect([session.screen, session.plan?.key, session.failure?.code, session.busy, left.get()]).toEqual(['plan', 'k2', 'plan_changed', false, 'k2']);
    expect(called('Run')).toHaveLength(1);
  });

  it('waits in sight as long as it asks for something', async () => {
    for (const gate of ['asks', 'question', 'refused', 'none', 'done'] as const) {
      const { session } = fake({ Plan: async () => plan({ gate }) });
      await session.submit('x');
      expect([gate, session.asks]).toEqual([gate, gate === 'asks' || gate === 'question']);
      session.back();
      expect(session.asks).toBe(false);
    }
  });
});

describe('a recipe', () => {
  const ask = { name: 'trip', values: [{ name: 'place', value: 'Oslo' }] };
  const ran = run({ text: 'recipe trip place=Oslo', plan: plan({ recipe: ask }) });

  it('is planned, approved and carried out with the values that were given', async () => {
    const { session, called } = fake({ PlanRecipe: async () => plan({ gate: 'asks', recipe: ask }), RunRecipe: async () => ran });
    session.type('open github');
    await session.cook(ask);
    expect([session.screen, session.text, called('RunRecipe')]).toEqual(['plan', 'open github', []]);
    await session.approve(once);
    expect(session.screen).toBe('run');
    expect(called('RunRecipe')).toHaveLength(1);
    expect(called('RunRecipe')[0]).toContain(JSON.stringify(ask));
    expect(called('RunRecipe')[0]).toContain('"approved":"d1"');
    expect([called('Plan'), called('Run')]).toEqual([[], []]);
  });

  it('whose plan is allowed runs at once, and its words are no goal to be changed', async () => {
    const { session, send } = fake({ PlanRecipe: async () => plan({ recipe: ask }), RunRecipe: async () => ran });
    await session.cook(ask);
    send(event({ run: { ...ran, seq: 2, status: 'done' } }));
    session.back();
    expect([session.screen, session.text]).toEqual(['goal', '']);
  });

  it('is planned again after a host of its was allowed', async () => {
    const { session, called } = fake({
      PlanRecipe: async () => plan({ gate: 'refused', recipe: ask }),
      AllowHost: async () => ({}) as Awaited<ReturnType<API['AllowHost']>>,
    });
    await session.cook(ask);
    await session.allow({ pattern: 'example.org', scope: 'run', tool: '', plugin: '', until: 0 });
    expect(called('PlanRecipe')).toHaveLength(2);
  });

  it('that can’t be planned says why', async () => {
    const { session } = fake({ PlanRecipe: () => Promise.reject(failure({ code: 'bad_recipe' })) });
    await session.cook(ask);
    expect([session.failure?.code, session.screen, session.busy]).toEqual(['bad_recipe', 'goal', false]);
  });
});

describe('a run', () => {
  async function running(answers: Partial<API> = {}) {
    const f = fake(answers);
    await f.session.submit('what time is it');
    return f;
  }

  it('may be told of before the call that began it answers', async () => {
    const slow = later<Run>();
    const { session, send } = fake({ Run: () => slow.promise });
    const submitted = session.submit('what time is it');
    await vi.waitFor(() => expect(session.plan).not.toBeNull());
    send(event({ seq: 1, run: run() }));
    send(event({ seq: 2, run: run({ seq: 2, status: 'done', answer: '12:00' }) }));
    slow.resolve(run()); // older than what the events said
    await submitted;
    expect([session.run?.answer, session.active]).toEqual(['12:00', false]);
  });

  it('stops when asked, and can be left only when it has ended', async () => {
    const { session, send, calls } = await running();
    await session.stop();
    session.back();
    expect(calls).toContain('Stop');
    expect([session.screen, session.stopping]).toEqual(['run', true]);
    send(event({ run: run({ seq: 2, status: 'interrupted' }) }));
    session.back();
    expect([session.screen, session.stopping, session.text]).toEqual(['goal', false, 'what time is it']);
  });

  it('keeps the window open until the person has agreed to end it', async () => {
    const { session, ask, calls } = await running();
    ask();
    expect(session.closing).toBe(true);
    await session.close(true);
    expect(calls.at(-1)).toBe('Close true');
    expect(session.closing).toBe(false);
  });

  it('of an approved draft takes the place of the one before', async () => {
    const { session, send } = await running();
    send(event({ run: run({ seq: 2, status: 'done' }) }));
    session.follow(run({ run_id: 'r2', text: 'delete folder Old' }));
    send(event({ run_id: 'r1', seq: 3, run: run({ seq: 3, answer: 'late' }) }));
    expect([session.run?.run_id, session.text, session.active]).toEqual(['r2', 'delete folder Old', true]);
  });

  it('of an approved draft may be over before the approval answers', async () => {
    const { session, send } = await running();
    send(event({ run: run({ seq: 2, status: 'done' }) }));
    send(event({ run_id: 'r2', seq: 2, run: run({ run_id: 'r2', seq: 2, status: 'failed' }) }));
    session.follow(run({ run_id: 'r2', text: 'delete folder Old' }));
    expect([session.run?.status, session.active]).toEqual(['failed', false]);
  });

  it('is found again after the page was loaded anew', async () => {
    const { session } = fake({ Start: async () => boot({ active: 'r1' }) });
    await session.start();
    expect([session.screen, session.active, session.text]).toEqual(['run', true, 'what time is it']);
  });

  it('whose end was never heard of is shown as it ended', async () => {
    const ended = run({ run_id: 'r1', status: 'done', seq: 0 }); // of the record: it counts no events
    const { session } = fake({ Run: async () => run({ run_id: 'r1', status: 'running', seq: 9 }), Get: async () => ended });
    await session.submit('open x');
    expect(session.active).toBe(true);
    await session.start();
    expect([session.active, session.run]).toEqual([false, ended]);
  });
});

describe('a program that is away when the page begins', () => {
  it('is asked again, and then nothing is wrong any more', async () => {
    const answers = [() => Promise.reject(failure({ code: 'away' })), async () => boot()];
    const { session } = fake({ Start: () => answers.shift()!() });
    await session.start();
    expect([session.boot, session.failure?.code]).toEqual([null, 'away']);
    await session.start();
    expect([session.boot, session.failure]).toEqual([boot(), null]);
  });
});

describe('what was heard', () => {
  const voice = { file_id: 'f', transcript: 'what time is it', confidence: 0.9 };
  const ReadTranscript = async () => voice;

  it('is planned in place of typed words, and never runs unasked', async () => {
    const { session, called } = fake({ ReadTranscript, Plan: async (goal) => plan({ gate: 'runs', voice: goal.voice, text: goal.text }) });
    await session.submit('  {"file_id": "f"}');
    expect([session.screen, session.plan?.voice, session.text]).toEqual(['plan', voice, 'what time is it']);
    await session.answer({ id: 'confirm_transcript', value: 'what time is it' });
    expect([session.screen, called('Run')]).toEqual(['plan', []]);
    await session.approve({ scope: 'once', confirm: 0, confirmed: [] });
    expect(called('Run')[0]).toContain('"transcript":"what time is it"');
  });

  it('says what is wrong with a file that is none', async () => {
    const { session, called } = fake({ ReadTranscript: () => Promise.reject({ code: 'bad_transcript', message: 'this is no transcript' }) });
    await session.heard('[]');
    expect([session.screen, session.failure?.code, called('Plan')]).toEqual(['goal', 'bad_transcript', []]);
  });
});

it('has started before the record has answered', async () => {
  const { session } = fake({ Start: async () => boot({ theme: 'dark' }), Runs: () => later<never>().promise });
  await session.start();
  expect(session.boot?.theme).toBe('dark');
});

it('knows what ran lately, each goal once; in safe mode it asks for nothing', async () => {
  const runs = ['c', 'b', 'recipe trip', 'c', 'a'].map((text, i) => line(text, `r${i}`));
  const usual = fake({ Runs: async () => ({ total: 4, from: 0, runs }) });
  await usual.session.start();
  expect([usual.session.recent.length, usual.session.past]).toEqual([5, ['c', 'b', 'a']]);
  const safe = fake({ Start: async () => boot({ faults: [{ source: 'errand.toml', line: 3, key: 'k', message: 'm' }] }) });
  await safe.session.start();
  expect(safe.calls).toEqual(['Start []']);
});

describe('in another language', () => {
  it('a plan is made again, and is shown even if it could run', async () => {
    const { session, called } = fake({ Plan: async (goal) => plan({ text: goal.text, gate: 'asks' }) });
    await session.submit('delete folder Old in documents');
    await session.reload();
    expect([called('Plan').length, called('Run').length, session.screen]).toEqual([2, 0, 'plan']);
  });

  it('a run is asked for again, with all of its steps', async () => {
    let answer = 'Done';
    const { session } = fake({ Get: async () => run({ status: 'done', answer }) });
    session.follow(run({ status: 'done', answer }));
    const before = session.record;
    answer = 'Готово';
    await session.reload();
    expect([session.run?.answer, session.record === before]).toEqual(['Готово', false]);
  });

  it('words that were typed are read again', async () => {
    vi.useFakeTimers();
    const { session, called } = fake();
    session.type('what');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    await session.reload();
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    vi.useRealTimers();
    expect(called('Read')).toEqual(['Read what', 'Read what']);
  });
});
