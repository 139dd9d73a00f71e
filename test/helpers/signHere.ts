import type { OwnSigner } from '../../src/actors/wallet/ports/signing.ts';
import { openSigningKeys, signPayment } from '../../src/workers/paymentSigner.ts';

/** What the signing thread does, without the thread. */
export const signHere: OwnSigner = {
  sign: async (request) =>
    signPayment(request, await openSigningKeys({ ...request, account: request.terms.account })),
};
