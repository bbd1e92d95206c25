import { describe, expect, it, vi } from 'vitest';

import { api, failure, plan, run, step } from '../dev/samples';
import type { Agent, AgentStatus, Provider, Turn } from './api';
import type { Program } from './bridge';
import { callsOf, doing, ended, isLimit, Models, nameOf, turnsBefore } from './model.svelte';
import { RunRecord } from './record.svelte';
import { Session } from './session.svelte';

const provider = (over: Partial<Provider> = {}): Provider => ({
  name: 'ollama', model: 'tiny', base_url: 'http://127.0.0.1:11434', host: '127.0.0.1:11434', place: 1, key: 'unneeded', variable: '', secret: '', reason: '', store: '', can_be_asked: true, ...over,
});

const status = (over: Partial<AgentStatus> = {}): AgentStatus => ({
  enabled: true, ready: true, faults: [], providers: [provider()], tools: [], used_today: 0, day_limit: 0, spent_today: '', ...over,
});

const turn = (over: Partial<Turn> = {}): Turn => ({ number: 1, provider: 'ollama', model: 'tiny', text: '', left_out: 0, tokens_in: 0, tokens_out: 0, calls: [], failed: [], answered: true, ...over });

const agent = (...turns: Turn[]): Agent => ({
  turns, requests: 0, tokens_in: 0, tokens_out: 0, cost: '', unpriced: 0, max_steps: 12, max_tokens: 0, max_wall_ms: 0, max_failures: 3, stop_reason: '', can_continue: false,
});

const program = (answers: Parameters<typeof api>[0]): Program => ({ api: api(answers), on: () => {}, title: () => {}, usable: () => {}, upload: null, picture: (path) => path });

const kept = { get: () => '', set: () => {} };

describe('the models that can be asked', () => {
  it.each([
    ['nothing was loaded yet', null, false, []],
    ['one is ready', status(), true, ['ollama']],
    ['the agent is off', status({ enabled: false, ready: false }), false, ['ollama']],
    ['no key is there', status({ ready: false, providers: [provider({ can_be_asked: false, key: 'missing' })] }), false, []],
    ['two are asked in their order', status({ providers: [provider({ place: 2 }), provider({ name: 'openai', place: 1 })] }), true, ['openai', 'ollama']],
  ])('%s', async (_, answer, ready, names) => {
    const models = new Models(program(answer ? { AgentStatus: async () => answer } : {}));
    await models.load();
    expect([models.ready, models.asked.map((p) => p.name)]).toEqual([ready, names]);
  });

  it('have names of their own', () => {
    expect([nameOf('openai'), nameOf('mine')]).toEqual(['OpenAI', 'mine']);
  });
});

describe('what a run does now', () => {
  const read = step({ action_id: 't1.1' });
  it.each([
    ['the model was not heard yet', agent(), [], 'model'],
    ['its request failed', agent(turn({ answered: false })), [], 'model'],
    ['a call runs', agent(turn({ calls: ['t1.1'] })), [{ ...read, status: 'running' }], 'tool'],
    ['a call has not begun', agent(turn({ calls: ['t1.1'] })), [read], 'tool'],
    ['its calls ended', agent(turn({ calls: ['t1.1'] })), [{ ...read, status: 'done' }], 'model'],
  ] as const)('%s', (_, of, steps, want) => {
    expect(doing(run({ agent: of as Agent }), steps)).toBe(want);
  });

  it('is nothing when it has ended, or when rules planned it', () => {
    expect(doing(run({ status: 'done', agent: agent() }), [])).toBe('');
    expect(doing(run(), [])).toBe('');
  });
});

it.each([['max_steps', true], ['no_op_loop', true], ['error', false], ['completed', false], ['', false]])('whether %j is a limit', (stop, want) => {
  expect(isLimit(stop)).toBe(want);
});

it('calls are listed in the order of the turn, as far as they are loaded', () => {
  const steps = [step({ action_id: 'a' }), undefined, step({ action_id: 'b', status: 'done' }), step({ action_id: 'c', status: 'running' })];
  expect(callsOf(['b', 'x', 'a'], steps).map((s) => s.action_id)).toEqual(['b', 'a']);
  expect(ended(steps)).toBe(1);
});

it('the answer that ends a run is not listed again below it', () => {
  const turns = [turn({ calls: ['t1.1'] }), turn({ number: 2, text: 'Done.' })];
  expect(turnsBefore(run({ status: 'done', agent: agent(...turns) }))).toHaveLength(1);
  expect(turnsBefore(run({ status: 'interrupted', agent: agent(...turns) }))).toHaveLength(2);
  expect(turnsBefore(run())).toEqual([]);
  expect(turnsBefore(run({ status: 'interrupted', agent: agent(turns[0]!, turn({ number: 2, answered: false })) }))).toHaveLength(1);
});

describe('a task for a model', () => {
  const answers = (over: Parameters<typeof api>[0] = {}) => ({ Runs: async () => ({ total: 0, from: 0, runs: [] }), ...over });

  it('is sent once, and its run is shown', async () => {
    const AskModel = vi.fn(async () => run({ run_id: 'r7', text: 'sum it up', agent: agent() }));
    const session = new Session(program(answers({ AskModel })), kept);
    session.text = '  sum it up ';
    await Promise.all([session.askModel(), session.askModel()]);
    expect(AskModel.mock.calls).toEqual([[{ text: 'sum it up', provider: '' }]]);
    expect([session.screen, session.run?.run_id, session.active]).toEqual(['run', 'r7', true]);
  });

  it('is not sent without words', async () => {
    const AskModel = vi.fn();
    await new Session(program(answers({ AskModel })), kept).askModel('  ');
    expect(AskModel).not.toHaveBeenCalled();
  });

  it('that is refused says why, and the words stay', async () => {
    const session = new Session(program(answers({ AskModel: () => Promise.reject(failure({ code: 'agent_disabled' })) })), kept);
    await session.askModel('sum it up');
    expect([session.screen, session.text, session.failure?.code, session.busy]).toEqual(['goal', 'sum it up', 'agent_disabled', false]);
  });

  it('goes on in the same run', async () => {
    const stopped = run({ run_id: 'r7', status: 'interrupted', agent: { ...agent(), can_continue: true } });
    const ContinueRun = vi.fn(async () => run({ run_id: 'r7', agent: agent() }));
    const session = new Session(program(answers({ ContinueRun })), kept);
    session.follow(stopped);
    await session.goOn(stopped);
    expect(ContinueRun.mock.calls).toEqual([['r7']]);
    expect(session.active).toBe(true);
  });
});

it('a record takes what the run used from its events', () => {
  const record = new RunRecord(program({}), run({ agent: agent(turn()) }));
  const used = { ...agent(turn()), tokens_in: 1200 };
  record.hear({ run_id: 'r1', seq: 2, run: null, steps: [], counts: null, connections: null, agent: used });
  expect(record.run.agent?.tokens_in).toBe(1200);
  expect(record.run.seq).toBe(2);
});

it('a record that is loaded again takes the run as it is now, whatever its number', async () => {
  const record = new RunRecord(program({ Get: async () => run({ seq: 0, status: 'cancelled', plan: plan({ steps: [] }), agent: agent() }) }), run({ seq: 9, agent: agent() }));
  await record.reload();
  expect([record.run.status, record.run.seq, record.steps.items.length]).toEqual(['cancelled', 0, 0]);
});
