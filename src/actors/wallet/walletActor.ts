// The wallet actor: the only place with key material. It opens no socket and touches no file itself; storage, the chain
// side and the pool come in as interfaces. Each feature has a folder, and handlers there.

import { dispatchMessage } from '../../protocol/dispatch.ts';
import type { Handlers } from '../../protocol/operations.ts';
import type { Result } from '../../protocol/result.ts';
import { balanceHandlers } from './balance/handlers.ts';
import { bookHandlers } from './books/handlers.ts';
import { changesHandlers } from './changes/handlers.ts';
import { configHandlers } from './config/handlers.ts';
import { contactsHandlers } from './contacts/handlers.ts';
import { followHandlers } from './follow/handlers.ts';
import { invoiceHandlers, requireOwnInvoice } from './invoices/handlers.ts';
import { keyHandlers } from './keys/handlers.ts';
import { labelHandlers } from './labels/handlers.ts';
import { mempoolHandlers } from './mempool/handlers.ts';
import { noteHandlers } from './notes/handlers.ts';
import { requireOwnPayment } from './payments/grantLimits.ts';
import { paymentHandlers } from './payments/handlers.ts';
import { paymentUriHandlers } from './paymentUri/handlers.ts';
import type { Config } from './ports/configFile.ts';
import type { Carried, WalletEnvironment } from './ports/walletEnvironment.ts';
import { withCaveats } from './session/caveats.ts';
import { coverageHandlers, syncHandlers } from './sync/handlers.ts';
import { systemHandlers } from './system/handlers.ts';
import { walletHandlers } from './wallet/handlers.ts';
import { lock, lockWhenIdle, openWallet } from './wallet/locking.ts';
import { type WalletContext, walletContext } from './wallet/walletContext.ts';
import { witnessHandlers } from './witnesses/handlers.ts';

const SERVER_KEYS = ['node_url', 'compact_server_url', 'block_source'] as const satisfies (keyof Config)[];

export class WalletActor {
  readonly #context: WalletContext;
  readonly #handlers: Handlers<'wallet'>;

  constructor(environment: WalletEnvironment) {
    const context = walletContext(environment);
    this.#context = context;
    this.#handlers = withCaveats(context.sessions, {
      ...walletHandlers(context),
      ...configHandlers(context),
      ...keyHandlers(context),
      ...balanceHandlers(context),
      ...noteHandlers(context),
      ...witnessHandlers(context),
      ...changesHandlers(context),
      ...mempoolHandlers(context),
      ...labelHandlers(context),
      ...contactsHandlers(context),
      ...bookHandlers(context),
      ...paymentUriHandlers(context),
      ...invoiceHandlers(context),
      ...paymentHandlers(context),
      ...syncHandlers(context),
      ...coverageHandlers(context),
      ...followHandlers(context),
      ...systemHandlers(context),
    });
    context.sessions.listen({ opened: () => openWallet(context), idle: () => lockWhenIdle(context) });
  }

  /** Sends the chain side its part of the configuration. Call once before the first message. */
  async start(): Promise<void> {
    await this.#context.configuration.configureChain();
  }

  /** One message: `{name, input, requestId}`, or an input whose password is to be checked. Never throws. */
  dispatch(message: unknown): Promise<Result<unknown>> {
    const { environment, sessions } = this.#context;
    return dispatchMessage('wallet', this.#handlers, message, {
      logFault: environment.logFault,
      checkPassword: async (password, caller) => {
        if (!environment.walletFile.exists()) return false;
        await sessions.enterAs(caller, password);
        return true;
      },
      keeper: {
        isSet: (setting) => environment.configFile.get()[setting],
        requireOwn: (owned, ...own) =>
          (owned === 'payment' ? requireOwnPayment : requireOwnInvoice)(this.#context, ...own),
      },
    });
  }

  /**
   * The configuration was changed by another than this actor. Another server is asked at once by follow mode, and another time until
   * the lock begins at once: without a call the open wallet would keep the earlier one.
   */
  configChanged(before: Config): void {
    const { environment, configuration, following, sessions } = this.#context;
    const now = environment.configFile.get();
    if (now.auto_lock_seconds !== before.auto_lock_seconds && sessions.current !== undefined)
      sessions.touch();
    environment.emit({ event: 'config.changed', data: configuration.current() });
    if (SERVER_KEYS.some((key) => now[key] !== before[key])) following.wake();
  }

  async stop(): Promise<void> {
    await lock(this.#context, 'exit');
  }

  /** For the actor that replaces this one. */
  get carried(): Carried {
    const { sessions, scans } = this.#context;
    return { wrongTries: sessions.wrongTries, lastScan: scans.lastScan };
  }
}
