// Has the wallet's own phrase sign a payment, by the password that came with the call. Its answer is taken as any signer's is.

import { hexToBytes, wipe } from '@wallet-companion/base/bytes';
import { joinApart } from '@wallet-companion/base/memory';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import type { PaymentTerms } from '@wallet-companion/pczt/signer';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError } from '../../../protocol/errors.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { OwnSignatures, OwnSigningRequest } from '../ports/signing.ts';
import type { Session } from '../session/session.ts';
import { encodeView } from './handedOut.ts';
import { anchorAnew, type Reanchoring } from './reanchoring.ts';
import type { Returns, TakenFor } from './returned.ts';

export class OwnSigning {
  readonly #context: Reanchoring;
  readonly #params: NetworkParameters;
  readonly #returns: Returns;

  constructor(context: Reanchoring, params: NetworkParameters, returns: Returns) {
    this.#context = context;
    this.#params = params;
    this.#returns = returns;
  }

  /** The session has found the password right. */
  async sign(session: Session, id: string, password: Uint8Array): Promise<TakenFor> {
    const payment = await anchorAnew(this.#context, 'pczt', session, id);
    const terms = termsOf(payment);
    const { signatures, proofKeys } = await this.#signed({
      walletFile: this.#context.payments.environment.walletFile.bytes(),
      password: joinApart(password),
      pczt: encodeView(decodePczt(payment.pczt).pczt, 'signer'),
      terms,
      params: this.#params,
    });
    try {
      return await this.#returns.takeSignatures(session, id, signatures, proofKeys);
    } finally {
      wipe(...proofKeys.map(({ nsk }) => nsk));
    }
  }

  async #signed(request: OwnSigningRequest): Promise<OwnSignatures> {
    const { ownSigner, logFault } = this.#context.payments.environment;
    try {
      return await ownSigner.sign(request);
    } catch (error) {
      // Somebody changed what was kept, or the companion is at fault: the owner has to learn it.
      if (error instanceof CompanionError && error.code === 'PCZT_CHANGED') logFault('payments.sign', error);
      throw error;
    } finally {
      wipe(...request.terms.payments.map(({ memo }) => memo));
    }
  }
}

const termsOf = ({ txid, account, payments, change, fee, expiryHeight }: StoredPayment): PaymentTerms => ({
  txid,
  account,
  payments: payments.map(({ place, address, zatoshi, memo }) => ({
    place,
    address,
    zatoshi,
    memo: memo === null ? undefined : hexToBytes(memo),
  })),
  change: change === null ? undefined : { notes: 1, ...change },
  fee,
  expiryHeight,
});
