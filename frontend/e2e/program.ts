// The real program: `bin/errand serve --demo` in a home of its own.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..');
const errand = join(root, 'bin', 'errand');

/** How long the end of the program may take: its browser has to go first. */
const ENDS_WITHIN_MS = 30_000;

/** A person's home: folders, configuration and record that no other test sees. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'errand-e2e-'));
  readonly env: NodeJS.ProcessEnv = {
    HOME: this.path,
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    USER: 'ann',
    XDG_CONFIG_HOME: join(this.path, '.config'),
    XDG_DATA_HOME: join(this.path, '.local', 'share'),
    XDG_STATE_HOME: join(this.path, '.local', 'state'),
    XDG_CACHE_HOME: join(this.path, '.cache'),
  };

  folder(...names: string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Writes a file and the folders above it. */
  file(name: string, text: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  has(...names: string[]): boolean {
    return existsSync(join(this.path, ...names));
  }

  /** Runs a command of the command line beside the server, such as another program would; answers what it prints. */
  errand(...args: string[]): string {
    try {
      return execFileSync(errand, args, { env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (reason) {
      const { status, stdout, stderr } = reason as { status: number | null; stdout: string; stderr: string };
      if (status === 4) return stdout; // it waits for a yes
      throw new Error(`errand ${args.join(' ')}: exit ${status}\n${stdout}${stderr}`);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A server over a home. */
export class Program {
  private constructor(
    readonly home: Home,
    /** With the token: what a person opens. */
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(home: Home): Promise<Program> {
    const child = spawn(errand, ['serve', '--demo', '--addr', '127.0.0.1:0'], { env: home.env, cwd: home.path, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('http://')) return new Program(home, line, child);
    }
    throw new Error(`errand serve ended without an address: exit ${child.exitCode}`);
  }

  /** Ends it as Ctrl+C does, and the browser that it has. */
  async end(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const gone = once(this.process, 'exit');
    const late = setTimeout(() => this.process.kill('SIGKILL'), ENDS_WITHIN_MS);
    this.process.kill('SIGINT');
    await gone;
    clearTimeout(late);
  }
}
