// The companion that is set up. Its network and the node's cookie file are fixed when it starts, so one in this process is
// closed and opened again when an answer changes them.

import { COMMANDS } from '../protocol/generated/commands.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import type { CliEnvironment, LocalOptions, OpenedLink } from './cliEnvironment.ts';
import { ofWallet, openLink, requireNetwork, type Target } from './openedLink.ts';

type Given = Readonly<Record<string, unknown>>;

export class SetupLink {
  readonly #environment: CliEnvironment;
  readonly #wallet: string | undefined;
  readonly #url: string | undefined;
  #local: LocalOptions;
  #opened: OpenedLink | undefined;

  private constructor({ url, local }: Target, wallet: string | undefined, environment: CliEnvironment) {
    this.#url = url;
    this.#local = local;
    this.#wallet = wallet;
    this.#environment = environment;
  }

  static async open(
    target: Target,
    wallet: string | undefined,
    environment: CliEnvironment,
  ): Promise<SetupLink> {
    const link = new SetupLink(target, wallet, environment);
    await link.#open();
    return link;
  }

  /** The folders, and the network once it is chosen. */
  get local(): LocalOptions {
    return this.#local;
  }

  /** Undefined: the companion is in this process, and ends with it. */
  get running(): { readonly url: string | undefined } | undefined {
    return this.#opened?.endsHere === true ? undefined : { url: this.#opened?.url };
  }

  call<N extends OperationName>(name: N, input: Given = {}): Promise<Result<Output<N>>> {
    const link = this.#link;
    const of = COMMANDS[name].isOfWallet ? ofWallet(link, this.#wallet) : link;
    return of.dispatch(name, input, { requestId: this.#environment.requestId() });
  }

  /** The answer; a failure is thrown. */
  async answer<N extends OperationName>(name: N, input: Given = {}): Promise<Output<N>> {
    return unwrap(await this.call(name, input));
  }

  /** Opens it again with `change`, after `meanwhile`, when nobody holds the files. */
  async openAgain(change: LocalOptions, meanwhile?: () => Promise<unknown>): Promise<void> {
    await this.close();
    try {
      await meanwhile?.();
      this.#local = { ...this.#local, ...change };
    } finally {
      await this.#open();
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }

  async #open(): Promise<void> {
    this.#opened = await openLink({ url: this.#url, local: this.#local }, this.#environment);
    await requireNetwork(this.#link, this.#local.network, this.#environment);
  }

  get #link(): Dispatcher {
    if (this.#opened === undefined) throw new Error('the link is closed');
    return this.#opened.link;
  }
}
