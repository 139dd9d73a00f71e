// The world of a payment whose companion has an allowance signer, with its socket, in this process.

import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { ManualClock } from '@wallet-companion/fleet/test/manualClock';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { ExecutionContext } from 'ava';
import type { Signer } from '../../src/actors/wallet/ports/signing.ts';
import type { Policy } from '../../src/allowance/policy.ts';
import { answerRequest } from '../../src/allowance/requests.ts';
import { serveSigner } from '../../src/allowance/signerSocket.ts';
import { PcztProgram } from '../../src/service/programs/pcztProgram.ts';
import { createSigner, POLICY, startSigner, ZEC } from './allowanceBed.ts';
import { startPaymentStory } from './paymentStoryBed.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** Two notes of a ZEC. */
export async function startAllowanceStory(
  t: ExecutionContext,
  policy: Partial<Policy>,
  pool: Pool = 'ironwood',
) {
  const folder = temporaryFolder(t);
  await createSigner(folder, { ...POLICY, payees: null, ...policy });
  const clock = new ManualClock();
  const { signer, unconfirmed } = await startSigner(folder, clock);
  const socket = path.join(folder, 'signer.sock');
  const events: string[] = [];
  const stop = await serveSigner({
    path: socket,
    group: undefined,
    answer: (request) => answerRequest(signer, request, (event) => events.push(event)),
    after: systemAfter,
  });
  t.teardown(stop);
  const program = new PcztProgram('signer', {
    setting: { socket },
    settingsFile: path.join(folder, 'config.json'),
    log: { info: () => {}, warn: () => {} },
    env: {},
    after: systemAfter,
    memoryOf: () => 0,
  });
  const port: Signer = { sign: (pczt, ended) => program.run(pczt, ended) };
  const bed = await startPaymentStory(t, {
    clock,
    signer: port,
    config: { signer: { socket } },
    notes: [
      [pool, ZEC],
      [pool, ZEC],
    ],
  });
  const sign = (payment_id: string) => bed.wallet.call('payments.sign', { payment_id });
  return { bed, clock, sign, signer, stop, unconfirmed, events };
}
