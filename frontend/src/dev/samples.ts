// Views with plausible values, for tests and for looking at the window.

import type { API, Boot, Draft, Failure, Plan, Reading, Recipe, RecipeParam, Run, RunEvent, Step } from '../lib/api';

export const step = (over: Partial<Step> = {}): Step => ({
  action_id: 'a1', index: 0, tool: 'system.query', preview: 'Tell the time', reason: '', args: [], host: '', depends_on: [], risk_level: 'LOW',
  read_only: true, confidence: 1, expected_effect: '', idempotency_scope: '', class: 'read', effect: 'read',
  verdict: 'allow', rule: '', because: '', would_allow: '', grantable: false, forecast: null, needs_confirmation: false, status: '',
  started_at: 0, duration_ms: 0, result: [], untrusted: null, page: null, error: null, ...over,
});

export const plan = (over: Partial<Plan> = {}): Plan => {
  const steps = over.steps ?? [step()];
  return {
    text: 'what time is it', language: 'en', gate: 'runs', status: 'success', summary: '', reason: '', proof: { kind: 'cuts', cuts: [] },
    digest: 'd1', hosts: [], total: steps.length, steps, destructive: steps.filter((s) => s.needs_confirmation).length, questions: [], answers: [], nearest: [], means: [], risks: [], unmet: [], confirm: 0,
    scopes: [], voice: null, recipe: null, key: 'k1', may_ask: false, ...over,
  };
};

export const run = (over: Partial<Run> = {}): Run => ({
  run_id: 'r1', seq: 1, text: 'what time is it', status: 'running', stopping: false, started_at: 0, duration_ms: 0, plan: plan(),
  counts: { total: 1, running: 0, done: 0, failed: 0, skipped: 0 }, answer: '', connections: { allowed: 0, stopped: 0, hosts: [] },
  draft_id: '', files: 0, can_undo: false, waits: null, processes: -1, error: null, agent: null, ...over,
});

export const param = (over: Partial<RecipeParam> = {}): RecipeParam => ({
  name: 'place', type: 'string', description: '', default: '', needed: true, pattern: '', ...over,
});

export const recipe = (over: Partial<Recipe> = {}): Recipe => ({
  name: 'trip', file: '/home/ann/.config/errand/recipes/trip.toml', description: 'Make a folder for a trip, with a list in it',
  params: [param()], steps: 2, problem: '', ...over,
});

export const event = (over: Partial<RunEvent>): RunEvent => ({
  run_id: 'r1', seq: 2, run: null, steps: [], counts: null, connections: null, agent: null, ...over,
});

export const reading = (over: Partial<Reading> = {}): Reading => ({
  text: '', status: 'ok', language: 'en', does: ['Tell the time'], hosts: [], reason: '', nearest: [], questions: [], may_ask: false, ...over,
});

export const boot = (over: Partial<Boot> = {}): Boot => ({
  version: '0.1.0', language: 'en', theme: 'system', demo: false, dialogs: false, active: '', waiting: 0,
  file: '/home/ann/.config/errand/errand.toml', faults: [], ...over,
});

export const draft = (over: Partial<Draft> = {}): Draft => ({
  draft_id: 'd1', run_id: 'r1', text: 'delete folder Old in documents', language: 'en', state: 'draft', final: false, reason: '', approved: [], approved_until: 0,
  created_at: 0, expires_at: 600_000, revision: 'v1', digest: 'd1', steps: [step()], questions: [], answers: [], risks: [], confirm: 0,
  scopes: [], partly: '', unmet: [], undoes: '', withheld: false, irreversible: [], ...over,
});

export const failure = (over: Partial<Failure> = {}): Failure => ({
  class: 'execution_error', code: 'c', message: 'it broke', hint: '', retriable: false, ...over,
});

/** An API with some methods only. Calling another one fails. */
export function api(answers: Partial<API>): API {
  return new Proxy(answers as API, {
    get: (given, name: keyof API) => given[name] ?? (() => Promise.reject(failure({ code: 'not_here', message: `${name} is not here` }))),
  });
}
