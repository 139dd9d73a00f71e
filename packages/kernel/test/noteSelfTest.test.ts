import { bytesToHex } from '@wallet-companion/base/bytes';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import test from 'ava';
import { loadKernel } from '../src/kernel/loadKernel.ts';
import { findNoteFault, KNOWN_NOTES, knownNoteInput } from '../src/kernel/noteSelfTest.ts';
import { KERNELS } from './support/kernels.ts';

for (const known of KNOWN_NOTES) {
  test(`the reference finds the known ${known.pool} note`, (t) => {
    const { columns, key } = knownNoteInput(known);
    const found = new ReferenceDecryptor().decrypt(columns, [key]);
    t.deepEqual(
      found.map(({ nullifier }) => bytesToHex(nullifier ?? new Uint8Array(0))),
      [known.nullifier],
    );
  });
}

for (const [choice, load] of Object.entries(KERNELS)) {
  test(`${choice}: a sound kernel has no fault`, async (t) => {
    t.is(findNoteFault(await load()), undefined);
  });
}

test('a kernel whose note arithmetic is of another build is detected', async (t) => {
  const module = await loadKernel({ choice: 'portable' });
  const { pallasScalar, jubjubScalar } = module.modules;
  const exchanged = {
    ...module,
    modules: { ...module.modules, pallasScalar: jubjubScalar, jubjubScalar: pallasScalar },
  };
  t.not(findNoteFault(exchanged), undefined);
});
