// Entry of the thread that signs one payment with the wallet's phrase, and is ended after it: BigInts cannot be wiped, the end of
// a thread can. It has no network, and no storage but the bytes that it is given.

import type { SigningKeys } from '@wallet-companion/pczt/signer';
import { move } from './channel.ts';
import { openSigningKeys, signPayment } from './paymentSigner.ts';
import { starterChannel } from './thread.ts';
import type { SigningMethods } from './threadMethods.ts';

let keys: SigningKeys | undefined;

starterChannel<object, SigningMethods>({
  calls: {
    open: async (request) => {
      keys = await openSigningKeys(request);
    },
    sign: (request) => {
      if (keys === undefined) throw new Error('the keys are not open');
      const answer = signPayment(request, keys);
      // A copy of them would be left where nothing wipes it.
      return move(
        answer,
        answer.proofKeys.map(({ nsk }) => nsk.buffer as ArrayBuffer),
      );
    },
  },
});
