// The chain actor: the only part that talks to chain nodes and compact servers, and the owner of the compact store. It
// knows no wallet and no key. Every method takes and returns plain data, so that it can run in its own thread.

import { ChainContext, type ChainEnvironment, ContextChainService } from '@wallet-companion/chain/context';
import { dispatchMessage } from '../../protocol/dispatch.ts';
import type { FeatureHandlers, Handlers } from '../../protocol/operations.ts';
import type { Result } from '../../protocol/result.ts';
import { lwdHandlers } from './lwd/handlers.ts';

export class ChainActor extends ContextChainService {
  readonly #handlers: Handlers<'chain'>;

  constructor(environment: ChainEnvironment) {
    super(new ChainContext(environment), true);
    this.#handlers = { ...lwdHandlers(this.context), ...this.#systemHandlers() };
  }

  /** One message from the main thread: `{name, input, requestId}`. Never throws. */
  dispatch(message: unknown): Promise<Result<unknown>> {
    const { logFault } = this.context.environment;
    return dispatchMessage('chain', this.#handlers, message, { logFault });
  }

  /** For one wallet thread. */
  asking(isDefaultWallet: boolean): ContextChainService {
    return new ContextChainService(this.context, isDefaultWallet);
  }

  /** Settles when no more blocks are being removed after scans; for tests. */
  trimmed(): Promise<void> {
    return this.context.tails.settled();
  }

  #systemHandlers(): FeatureHandlers<'system', 'chain'> {
    return {
      'system.status': async ({ known = false }) => {
        const { servers, compacts, opinion } = this.context;
        const { network, nodeUrl, compactServerUrl: url } = this.context.current().settings;
        const status = await servers.status(known, {
          node: () => this.tip({ source: 'node', nodeUrl }),
          compact_server: () => {
            const tip = compacts.get(url).tip();
            return servers.tip(
              { server: 'compact_server', url },
              tip.then((one) => opinion.ofBlock('compact', one)),
            );
          },
        });
        return { network, ...status, peers: opinion.status() };
      },
    };
  }
}
