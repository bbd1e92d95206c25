import type { FolderGrant, Plugin, PluginProposal } from './api';
import type { Program } from './bridge';
import { Loaded } from './loaded.svelte';

/** The name of a source that the user gave. */
export interface Source {
  source: string;
  sha256: string;
  folders: FolderGrant[];
}

/** The installed plugins, and one that is inspected before it is installed. */
export class Plugins {
  list: Loaded<Plugin[]>;
  proposal: Loaded<PluginProposal>;
  /** The latest operation on a plugin; `about` is its id. */
  deed = new Loaded<void>(async () => {});
  about = $state('');
  /** Ids of the plugins whose files match the lock. */
  verified = $state.raw<ReadonlySet<string>>(new Set());

  #program: Program;
  #ask: ((folders: FolderGrant[]) => Promise<PluginProposal>) | null = null;
  #folders: FolderGrant[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Plugins());
    this.proposal = new Loaded<PluginProposal>(() => this.#ask?.(this.#folders) ?? Promise.reject(new Error('nothing was proposed')));
  }

  async propose(source: Source): Promise<void> {
    await this.#propose((folders) => this.#program.api.ProposePlugin({ ...source, folders }), source.folders);
  }

  async proposeUpdate(id: string): Promise<void> {
    await this.#propose((folders) => this.#program.api.ProposeUpdate({ id, sha256: '', folders }), []);
  }

  /** Shows what a plugin in the data folder may do before it is enabled. */
  async proposeEnable(id: string): Promise<void> {
    await this.#propose(() => this.#program.api.ProposeEnable(id), []);
  }

  async #propose(ask: (folders: FolderGrant[]) => Promise<PluginProposal>, folders: FolderGrant[]): Promise<void> {
    this.#ask = ask;
    this.#folders = folders;
    this.proposal.value = null;
    await this.proposal.load();
  }

  /**
   * Assigns a folder to a root of the proposed plugin and shows the proposal again. A rejected
   * folder is not assigned.
   */
  async give(root: string, folder: string): Promise<void> {
    const before = this.#folders;
    this.#folders = [...before.filter((f) => f.root !== root), { root, folders: [folder] }];
    await this.proposal.load();
    if (this.proposal.failure) this.#folders = before;
  }

  putAway(): void {
    this.proposal.value = null;
    this.proposal.failure = null;
  }

  /** Installs the proposed plugin; `wider` agrees to its additional permissions, `downgrade` to an older version. */
  async install(wider: boolean, downgrade: boolean): Promise<void> {
    const proposal = this.proposal.value;
    if (!proposal) return;
    const done = await this.#do(proposal.id, async () => void (await this.#program.api.InstallPlugin({ token: proposal.token, wider, downgrade })));
    if (done) this.putAway();
  }

  async enable(id: string, on: boolean): Promise<void> {
    await this.#do(id, async () => void (await this.#program.api.EnablePlugin(id, on)));
  }

  async remove(id: string): Promise<void> {
    await this.#do(id, () => this.#program.api.RemovePlugin(id));
  }

  async verify(id: string): Promise<void> {
    await this.#do(id, async () => {
      for (const one of await this.#program.api.VerifyPlugins(id)) {
        if (one.problem) throw one.problem;
        this.verified = new Set(this.verified).add(one.id);
      }
    });
  }

  async #do(id: string, act: () => Promise<void>): Promise<boolean> {
    this.about = id;
    const done = await this.deed.take(act);
    await this.list.load();
    return done;
  }
}
