// The hostile signers as devices: what they answer comes as moving codes, a fifth of which is lost, or as bare signatures as
// from a Ledger. It is refused as from a file; of bare signatures none changes the payment.

import { pcztOf, pcztUr, UrReader, urParts } from '@wallet-companion/devices/ur';
import { decodePczt, encodePczt, type Pczt, sentenceOf, takeReturned } from '@wallet-companion/pczt/pczt';
import { HOSTILE_SIGNERS } from '@wallet-companion/pczt/test/hostileSigners';
import test from 'ava';

/** In fragments as the device's firmware shows them. */
function throughCodes(pczt: Uint8Array, lost: number): Uint8Array {
  const { type, cbor } = pcztUr(pczt);
  const parts = urParts(type, cbor, { maxFragment: 200 });
  const reader = new UrReader();
  for (let at = 0; reader.message === undefined; at++) {
    const { text } = parts.next().value;
    if (at % 5 !== lost % 5) reader.receive(text);
  }
  return pcztOf(reader.message);
}

type ActionPool = 'orchard' | 'ironwood';

/** Without `signatureOf` there are none. */
function withSignatures(
  pczt: Pczt,
  signatureOf: (pool: ActionPool, index: number) => Uint8Array | undefined = () => undefined,
): Pczt {
  const signed = (pool: ActionPool): Pczt[ActionPool] => ({
    ...pczt[pool],
    actions: pczt[pool].actions.map((action, index) => ({
      ...action,
      spend: { ...action.spend, spendAuthSig: signatureOf(pool, index) },
    })),
  });
  return { ...pczt, orchard: signed('orchard'), ironwood: signed('ironwood') };
}

/** The sums or counts of some do not fit, which the codec writes as little as it reads them. */
function bytesIfAny(pczt: Pczt): Uint8Array | undefined {
  try {
    return encodePczt(pczt, 2);
  } catch {
    return undefined;
  }
}

let compared = 0;

for (const [at, { title, ours, signed, theirs, sentence }] of HOSTILE_SIGNERS.entries()) {
  test(`a device that ${title} is refused`, (t) => {
    const read = (answer: Uint8Array) => takeReturned(ours, decodePczt(throughCodes(answer, at)).pczt);
    t.true(read(encodePczt(signed, 2)).ok);
    const answer = bytesIfAny(theirs(signed));
    if (answer === undefined) return;
    const back = read(answer);
    t.is(back.ok ? 'taken' : sentenceOf(back.changes[0]!), sentence);
    compared += 1;
  });

  test(`with the bare signatures of one that ${title} the payment stays ours, or none is taken`, (t) => {
    const foreign = theirs(signed);
    const back = takeReturned(
      ours,
      withSignatures(ours, (pool, index) => foreign[pool].actions[index]?.spend.spendAuthSig),
    );
    if (back.ok) t.deepEqual(withSignatures(back.pczt), withSignatures(ours));
    else t.regex(sentenceOf(back.changes[0]!), /signature/);
  });
}

test('most of them have bytes, and are refused for what they change', (t) => {
  t.true(compared >= 30, String(compared));
});
