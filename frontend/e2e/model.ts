// A language model for tests: a server that speaks Ollama's protocol and answers the turns of a
// conversation from a script.

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** What the model says in a turn; a turn that hangs never ends. */
export interface Says {
  text?: string;
  calls?: Call[];
  hangs?: boolean;
}

/** Returns what the model says to a task in a turn, from 0. */
export type Script = (task: string, turn: number) => Says;

interface Asked {
  messages: { role: string; content: string }[];
}

export class Model {
  /** The tasks of the requests so far. */
  readonly asked: string[] = [];
  #script: Script;
  #server: Server;

  constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => this.#answer(body, response));
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  end(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(body: string, response: ServerResponse): void {
    const { messages } = JSON.parse(body) as Asked;
    const task = messages.find((m) => m.role === 'user')?.content ?? '';
    this.asked.push(task);
    const { text = '', calls = [], hangs = false } = this.#script(task, messages.filter((m) => m.role === 'assistant').length);
    if (hangs) return; // until the program gives up
    const tool_calls = calls.map((c) => ({ function: { name: c.name.replaceAll('.', '_'), arguments: c.args } }));
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        model: 'tiny', created_at: '2026-01-02T15:04:05Z', done: true, done_reason: 'stop', prompt_eval_count: 1200, eval_count: 80,
        message: { role: 'assistant', content: text, ...(tool_calls.length > 0 && { tool_calls }) },
      }),
    );
  }
}
