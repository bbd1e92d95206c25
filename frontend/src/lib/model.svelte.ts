import type { Agent, AgentStatus, Provider, Run, Step } from './api';
import type { Program } from './bridge';
import { Loaded } from './loaded.svelte';

/** What the providers are called. */
const NAMES: Record<string, string> = { openai: 'OpenAI', anthropic: 'Anthropic', ollama: 'Ollama' };

export const nameOf = (provider: string): string => NAMES[provider] ?? provider;

/** Whether and which language models can be asked. Words are sent only by Session.askModel. */
export class Models {
  status: Loaded<AgentStatus>;
  /** The goal field gives its words to a model in place of the rules. */
  chosen = $state(false);

  /** The providers that would be asked, in this order. */
  asked = $derived<Provider[]>((this.status_()?.providers ?? []).filter((p) => p.can_be_asked).toSorted((a, b) => a.place - b.place));
  ready = $derived(this.status_()?.ready === true && this.asked.length > 0);

  constructor(program: Program) {
    this.status = new Loaded(() => program.api.AgentStatus());
  }

  private status_(): AgentStatus | null {
    return this.status?.value ?? null;
  }

  /** Loads the status again: the configuration and the keys may have changed. */
  load(): Promise<void> {
    return this.status.load();
  }
}

/** Whether a limit of the run ended it. */
export const isLimit = (stop: string): boolean => ['max_steps', 'max_wall_time', 'max_failures', 'no_op_loop'].includes(stop);

/** The calls of a turn that are loaded. */
export function callsOf(ids: readonly string[], steps: readonly (Step | undefined)[]): Step[] {
  return ids.flatMap((id) => steps.find((s) => s?.action_id === id) ?? []);
}

/** What the run waits for: the model, a tool, or nothing. */
export function doing(run: Run, steps: readonly (Step | undefined)[]): 'model' | 'tool' | '' {
  if (run.status !== 'running' || !run.agent) return '';
  const last = run.agent.turns.at(-1);
  if (!last?.answered) return 'model';
  const open = callsOf(last.calls, steps).some((s) => s.status === '' || s.status === 'running' || s.status === 'needs_approval');
  return open ? 'tool' : 'model';
}

/** The turns to list: not the answer that ends the run, which is shown above them, nor the request that a stop ended. */
export function turnsBefore(run: Run): Agent['turns'] {
  const turns = run.agent?.turns ?? [];
  const last = turns.at(-1);
  const said = run.status === 'done' && last?.answered && last.calls.length === 0;
  const given = run.status === 'interrupted' && last?.answered === false; // the user ended the request
  return said || given ? turns.slice(0, -1) : turns;
}

/** The status of the calls, for a mark: how many ended. */
export function ended(steps: readonly (Step | undefined)[]): number {
  return steps.filter((s) => s && ['done', 'failed', 'denied'].includes(s.status)).length;
}
