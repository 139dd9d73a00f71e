// The own signer of a wallet's thread: a thread of its own for each signature. Neither this one nor the main thread ever has the
// phrase or a spending key.

import type { OwnSignatures, OwnSigner, OwnSigningRequest } from '../actors/wallet/ports/signing.ts';
import { unwrap } from '../protocol/result.ts';
import { move } from './channel.ts';
import type { DerivationQueue } from './derivationTurns.ts';
import { startThread } from './thread.ts';
import type { SigningMethods } from './threadMethods.ts';

const ENTRY = new URL('./signingThread.js', import.meta.url);

export class SigningThreads implements OwnSigner {
  readonly #derivations: Pick<DerivationQueue, 'run'>;

  constructor(derivations: Pick<DerivationQueue, 'run'>) {
    this.#derivations = derivations;
  }

  async sign({ walletFile, password, pczt, terms, params }: OwnSigningRequest): Promise<OwnSignatures> {
    const { worker, channel } = startThread<SigningMethods>(ENTRY, { name: 'signing', data: {} }, () => ({}));
    try {
      const request = { walletFile, password, params, account: terms.account };
      await this.#derivations.run(async () =>
        unwrap(await channel.call('open', move(request, [password.buffer]))),
      );
      return unwrap(await channel.call('sign', move({ pczt, terms, params }, [pczt.buffer])));
    } finally {
      await worker.terminate();
    }
  }
}
