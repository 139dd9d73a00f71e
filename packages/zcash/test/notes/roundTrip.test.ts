import { concatBytes, equalBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { encryptNote } from '../../src/zcash/notes/encryption.ts';
import type { NoteScheme } from '../../src/zcash/notes/noteScheme.ts';
import { IRONWOOD, ORCHARD } from '../../src/zcash/notes/orchardScheme.ts';
import { tryRecoverNote } from '../../src/zcash/notes/recovery.ts';
import { SAPLING } from '../../src/zcash/notes/saplingScheme.ts';
import { tryDecryptNote } from '../../src/zcash/notes/trialDecryption.ts';
import { seededBytes, testAccount } from '../helpers/noteMaker.ts';

const MASK = 0b111;
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

function checkRoundTrip<Point, Scalar>(scheme: NoteScheme<Point, Scalar>, leadByte: 1 | 2 | 3): void {
  const protocol = scheme.pool === 'sapling' ? 'sapling' : 'orchard';

  test(`${scheme.pool} notes with lead byte ${leadByte} come back to recipient and sender alone`, (t) => {
    fc.assert(
      fc.property(fc.nat(), u64, fc.uint8Array({ minLength: 512, maxLength: 512 }), (seed, value, memo) => {
        const random = seededBytes(seed);
        const mine = testAccount(protocol, 0, random);
        const foreign = testAccount(protocol, 1, random);
        const recipient = mine.address();
        const cv = random(32);
        const small = concatBytes(random(31), Uint8Array.of(0));
        const rseed = leadByte === 1 ? small : random(32);
        const rho = protocol === 'sapling' ? new Uint8Array(0) : small;
        const encrypted = encryptNote(
          scheme,
          {
            leadByte,
            value,
            rseed,
            recipient,
            memo,
            rho,
            cv,
            ovk: mine.outgoing.ovk,
            esk: leBytesToBigint(small) + 1n,
          },
          random,
        );
        const output = { ...encrypted, rho, cv, ciphertext: encrypted.encCiphertext };
        const compact = { ...output, ciphertext: output.ciphertext.subarray(0, 52) };
        const key = (ivk: Uint8Array): Scalar => scheme.prepareScalar(leBytesToBigint(ivk));

        const note = tryDecryptNote(scheme, output, key(mine.incoming.ivk), MASK)!;
        const compactNote = tryDecryptNote(scheme, compact, key(mine.incoming.ivk), MASK)!;
        const sent = tryRecoverNote(scheme, output, mine.outgoing.ovk, MASK)!;
        t.is(note.plaintext.value, value);
        t.is(compactNote.plaintext.value, value);
        t.is(sent.plaintext.value, value);
        t.true(equalBytes(note.memo!, memo) && equalBytes(sent.memo, memo));
        t.deepEqual(sent.recipient, recipient);
        t.deepEqual(concatBytes(note.plaintext.diversifier, note.transmissionKey), recipient);
        const nk = mine.incoming.nk!;
        t.deepEqual(note.nullifier(nk, seed), encrypted.nullifier(nk, seed));

        t.is(tryDecryptNote(scheme, output, key(foreign.incoming.ivk), MASK), undefined);
        t.is(tryDecryptNote(scheme, compact, key(foreign.incoming.ivk), MASK), undefined);
        t.is(tryRecoverNote(scheme, output, foreign.outgoing.ovk, MASK), undefined);
        t.is(
          tryDecryptNote(scheme, compact, key(mine.incoming.ivk), MASK & ~(1 << (leadByte - 1))),
          undefined,
        );
      }),
      { numRuns: runs(4, 12) },
    );
  });

  test(`${scheme.pool} notes with lead byte ${leadByte} and no outgoing key are only the recipient's`, (t) => {
    const random = seededBytes(leadByte);
    const mine = testAccount(protocol, 0, random);
    const small = concatBytes(random(31), Uint8Array.of(0));
    const rho = protocol === 'sapling' ? new Uint8Array(0) : small;
    const cv = random(32);
    const encrypted = encryptNote(
      scheme,
      {
        leadByte,
        value: 1n,
        rseed: small,
        recipient: mine.address(),
        memo: new Uint8Array(512),
        rho,
        cv,
        ovk: null,
        esk: 7n,
      },
      random,
    );
    const output = { ...encrypted, rho, cv, ciphertext: encrypted.encCiphertext };
    t.is(tryRecoverNote(scheme, output, mine.outgoing.ovk, MASK), undefined);
    t.is(tryRecoverNote(scheme, output, new Uint8Array(32), MASK), undefined);
    t.truthy(tryDecryptNote(scheme, output, scheme.prepareScalar(leBytesToBigint(mine.incoming.ivk)), MASK));
  });
}

checkRoundTrip(SAPLING, 1);
checkRoundTrip(SAPLING, 2);
checkRoundTrip(ORCHARD, 2);
checkRoundTrip(IRONWOOD, 3);
