// Two readings of ZIP 374: whatever a role writes here the reference's crates read, verify, combine and extract with the
// same result, and the other way round. Proofs are those of the published stages, so that none has to be made.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import {
  decodePczt,
  type Encoding,
  encodePczt,
  inspectPczt,
  oldestEncoding,
  type Pczt,
} from '@wallet-companion/pczt/pczt';
import {
  ALL_MODIFIABLE,
  clearAnchor,
  combinePczts,
  effectsOfPczt,
  extractPczt,
  finalizeIo,
  finalizeSpends,
  ioCryptography,
  redactPczt,
  setAnchor,
  updateOutput,
  updateSpend,
} from '@wallet-companion/pczt/pcztRoles';
import { cases, flipped, stagesOf, withField } from '@wallet-companion/pczt/test/pcztVectors';
import { scriptOf } from '@wallet-companion/zcash/addresses';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, perActionPool } from '@wallet-companion/zcash/pools';
import { shieldedSighash } from '@wallet-companion/zcash/signing';
import { wordBytes } from '@wallet-companion/zcash/test/madeUpTransactions';
import { parseTransaction, transactionContents } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { openPcztTool } from './pcztTool.ts';

const PHRASE = `${'abandon '.repeat(23)}art`;
const all = cases;
const tool = openPcztTool(PHRASE);
const random = (length: number): Uint8Array => Uint8Array.from(wordBytes(length, 'reference'));
const params = regtestParameters({ nu6_3: 20, nu7: 50 });

const stages = stagesOf(all);
const decoded = (title: string) => decodePczt(stages.find((one) => one.title === title)!.bytes);
const stage = (name: string, which: string): Pczt => decoded(`${name} ${which}`).pczt;
const has = (name: string, which: string): boolean =>
  stages.some(({ title }) => title === `${name} ${which}`);

if (tool === undefined) test.skip('the reference tool is not installed', () => {});
else {
  const { run, refusal, json } = tool;
  test.after.always(() => tool.remove());
  const hex = (bytes: Uint8Array): string => bytesToHex(bytes);
  const read = (bytes: Uint8Array): Pczt => decodePczt(bytes).pczt;
  const encodings = (pczt: Pczt): Encoding[] => (oldestEncoding(pczt) === 1 ? [1, 2] : [2]);
  /** What both of them say of a PCZT is the same, in every encoding that can hold it. */
  const agreed = (
    t: { is: (a: unknown, b: unknown, m?: string) => unknown },
    pczt: Pczt,
    what: string,
  ): void => {
    for (const encoding of encodings(pczt)) {
      const bytes = encodePczt(pczt, encoding);
      const { minimal_version: least } = json<{ minimal_version: number }>('roundtrip', bytes);
      t.is(least, oldestEncoding(pczt), `${what}: the oldest encoding`);
      for (const other of encodings(pczt)) {
        const written = read(run('resolve', [bytes], '--encoding', `v${other}`));
        t.is(
          hex(encodePczt(plain(written), other)),
          hex(encodePczt(plain(resolved(pczt)), other)),
          `${what}: ${encoding} as ${other}`,
        );
      }
    }
  };
  const resolved = (pczt: Pczt): Pczt => combinePczts([pczt]);
  /**
   * What nobody uses: the reference keeps the 32 zero bytes for no Sapling anchor that encoding 1 has, and its tool takes
   * the key 0 of an unused Sapling bundle away in the compact view.
   */
  const plain = (pczt: Pczt): Pczt =>
    pczt.sapling.spends.length + pczt.sapling.outputs.length > 0
      ? pczt
      : { ...pczt, sapling: { ...pczt.sapling, anchor: undefined, bsk: undefined } };

  for (const { title } of stages) {
    test.serial(`${title}: read and written alike, in each encoding that can hold it`, (t) => {
      agreed(t, decoded(title).pczt, title);
    });

    test.serial(`${title}: the same fields, txid, sighash and memos`, (t) => {
      const { encoding, pczt } = decoded(title);
      const bytes = encodePczt(pczt, encoding);
      const theirs = json<{
        txid: string;
        shielded_sighash: string;
        fields: object;
        outputs_checked: { pool: string; action: number; ciphertext_matches_fields: boolean; memo: string }[];
      }>('inspect', bytes);
      const seen = inspectPczt(pczt, { params });
      t.is(hex(seen.txid!), theirs.txid);
      t.is(hex(shieldedSighash(effectsOfPczt(pczt))), theirs.shielded_sighash);
      for (const { pool, action, ciphertext_matches_fields: readable, memo } of theirs.outputs_checked) {
        const ours = seen.outputs.find(({ place, index }) => place === pool && index === action)!.memo;
        t.is(ours !== undefined, readable, `${pool} ${action}`);
        if (ours?.kind === 'text') t.is(ours.text, memo.replace(/\0+$/, ''));
      }
      const json2 = Buffer.from(JSON.stringify({ version: encoding, fields: theirs.fields }));
      t.is(hex(run('encode', [json2])), hex(bytes));
    });

    test.serial(`${title}: both find nothing wrong, and the same redacted`, (t) => {
      const { pczt } = decoded(title);
      const bytes = encodePczt(pczt, 2);
      const { warnings } = inspectPczt(pczt, { params });
      const complaint = refusal('verify', [bytes]);
      const hasKeys = warnings.some(({ code }) => code === 'dummyKeyInside');
      t.is(complaint?.includes('spending key of a dummy'), hasKeys ? true : undefined, complaint);
      t.deepEqual(
        warnings.filter(({ code }) => code !== 'dummyKeyInside'),
        [],
      );
      for (const [view, command] of [
        ['signer', 'redact'],
        ['compactSigner', 'compact'],
      ] as const) {
        const ours = redactPczt(pczt, view);
        const bytes = encodePczt(resolved(pczt), 2);
        const theirs = read(run(command, [bytes], '--encoding', 'v2'));
        t.is(hex(encodePczt(plain(theirs), 2)), hex(encodePczt(plain(ours), 2)), view);
        t.is(refusal('verify', [encodePczt(ours, 2)]), undefined, view);
      }
      for (const view of ['prover', 'extractor'] as const) agreed(t, redactPczt(pczt, view), view);
    });
  }

  const names = all.map(({ name }) => name);
  for (const name of names) {
    test.serial(`${name}: combined alike, in any order`, (t) => {
      const copies = ['proved', 'signed', 'compact', 'ready', 'complete'].filter((one) => has(name, one));
      for (const one of copies) {
        for (const other of copies) {
          // The reference's Combiner wants compact fields resolved, and keeps a binding key of the first copy alone.
          const finalizedFirst = [one, other].toSorted(
            (a, b) => Number(a === 'compact') - Number(b === 'compact'),
          );
          const pair = finalizedFirst.map((which) => encodePczt(resolved(stage(name, which)), 2));
          const ours = encodePczt(combinePczts([one, other].map((which) => stage(name, which))), 2);
          t.is(hex(run('combine', pair, '--encoding', 'v2')), hex(ours), `${one} ${other}`);
        }
      }
    });

    test.serial(`${name}: what two copies contradict each other in, neither combines`, (t) => {
      const ready = stage(name, 'ready');
      const pool = POOLS.find((one) =>
        one === 'sapling' ? ready.sapling.spends.length > 0 : ready[one].actions.length > 0,
      )!;
      const path = pool === 'sapling' ? 'sapling.spends.0' : `${pool}.actions.0.spend`;
      for (const field of ['nullifier', 'rk', 'rseed', 'alpha'].map((one) => `${path}.${one}`)) {
        const pair = [ready, flipped(ready, field)];
        t.throws(() => combinePczts(pair), { message: /the copies say different things/ });
        t.regex(
          refusal(
            'combine',
            pair.map((one) => encodePczt(one, 2)),
          ) ?? 'combined',
          /DataMismatch|parse/,
          field,
        );
      }
    });

    test.serial(`${name}: what the Updater adds the reference reads`, (t) => {
      let pczt = stage(name, 'ready');
      const derivation = {
        seedFingerprint: random(32),
        derivationPath: [0x8000_0020, 0x8000_0001, 0x8000_0000],
      };
      for (const pool of POOLS) {
        const spends =
          pool === 'sapling' ? pczt.sapling.spends : pczt[pool].actions.map(({ spend }) => spend);
        const outputs = pool === 'sapling' ? pczt.sapling.outputs : pczt[pool].actions;
        for (const i of spends.keys()) pczt = updateSpend(pczt, pool, i, { zip32Derivation: derivation });
        for (const i of outputs.keys()) pczt = updateOutput(pczt, pool, i, { zip32Derivation: derivation });
        const { anchor } = pczt[pool];
        if (pczt.global.txVersion < 6 || anchor === undefined || spends.length === 0) continue;
        pczt = setAnchor(clearAnchor(pczt, pool), pool, anchor);
        for (const [i, { witness }] of spends.entries())
          pczt = updateSpend(pczt, pool, i, { witness: witness! });
      }
      agreed(t, pczt, 'updated');
      t.is(refusal('verify', [encodePczt(pczt, 2)]), undefined);
      t.is(refusal('sign', [encodePczt(pczt, 2)]), undefined);
    });
  }

  /** A transaction without its binding signatures, which differ each time. */
  const withoutBinding = (raw: Uint8Array): object => {
    const bare = Object.entries(transactionContents(parseTransaction(raw))).map(([key, value]) =>
      typeof value === 'object' && 'bindingSig' in value
        ? [key, { ...value, bindingSig: undefined }]
        : [key, value],
    );
    return Object.fromEntries(bare);
  };
  const theirExtraction = (pczt: Pczt): Uint8Array =>
    hexToBytes(
      run('extract', [encodePczt(pczt, 2)])
        .toString('utf8')
        .trim(),
    );
  const withoutSignatures = (pczt: Pczt): Pczt => ({
    ...pczt,
    sapling: {
      ...pczt.sapling,
      spends: pczt.sapling.spends.map((spend) => ({ ...spend, spendAuthSig: undefined })),
    },
    ...perActionPool((pool) => ({
      ...pczt[pool],
      actions: pczt[pool].actions.map((action) => ({
        ...action,
        spend: { ...action.spend, spendAuthSig: undefined },
      })),
    })),
  });

  for (const { name, txid } of all.filter(({ name }) => has(name, 'complete'))) {
    test.serial(`${name}: extracted alike, and verified with its proofs`, (t) => {
      const complete = stage(name, 'complete');
      const ours = extractPczt(complete, random);
      if (!ours.ok) return t.fail(JSON.stringify(ours.problems));
      t.deepEqual(withoutBinding(ours.bytes), withoutBinding(theirExtraction(complete)));
      t.is(hex(ours.txid), txid);
      // What was redacted for it is enough for either.
      const bare = redactPczt(complete, 'extractor');
      t.deepEqual(withoutBinding(theirExtraction(bare)), withoutBinding(ours.bytes));
    });

    if (!has(name, 'created')) continue;
    test.serial(`${name}: finalized here, signed there, extracted by both; and the other way round`, (t) => {
      const created = withField(stage(name, 'created'), 'global.txModifiable', ALL_MODIFIABLE);
      const proofs = withoutSignatures(stage(name, 'complete'));
      const finalizedHere = finalizeIo(created, ioCryptography(random));
      const finalizedThere = read(run('io-finalize', [encodePczt(created, 2)], '--encoding', 'v2'));
      for (const finalized of [finalizedHere, finalizedThere]) {
        agreed(t, finalized, 'finalized');
        t.is(refusal('verify', [encodePczt(finalized, 2)]), undefined);
        const signed = read(run('sign', [encodePczt(redactPczt(finalized, 'signer'), 2)]));
        const whole = combinePczts([finalized, signed, proofs]);
        t.is(
          hex(
            run(
              'combine',
              [finalized, signed, proofs].map((one) => encodePczt(one, 2)),
              '--encoding',
              'v2',
            ),
          ),
          hex(encodePczt(whole, 2)),
        );
        const ours = extractPczt(whole, random);
        if (!ours.ok) return t.fail(JSON.stringify(ours.problems));
        t.is(hex(ours.txid), txid);
        t.deepEqual(withoutBinding(theirExtraction(whole)), withoutBinding(ours.bytes));
      }
      // But for the dummies' signatures, which are random, they are the same.
      const bare = (pczt: Pczt): string => hex(encodePczt(withoutSignatures(pczt), 2));
      t.is(bare(finalizedHere), bare(finalizedThere));
    });
  }

  test.serial('a signature, a sum or a key that is wrong neither of them extracts', (t) => {
    const name = 'v6-ironwood-ironwood';
    const complete = stage(name, 'complete');
    for (const path of ['actions.0.spend.spendAuthSig', 'actions.0.spend.rk', 'actions.1.cvNet', 'bsk']) {
      const wrong = flipped(complete, `ironwood.${path}`);
      let extracted = false;
      try {
        extracted = extractPczt(wrong, random).ok;
      } catch {
        // Bytes that are no point.
      }
      t.false(extracted, path);
      t.not(refusal('extract', [encodePczt(wrong, 2)]), undefined, path);
    }
  });

  test.serial('transparent inputs get the same scripts', (t) => {
    const publicKey = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
    // Any canonical signature will do: neither finalizer checks it.
    const signature = concatBytes(hexToBytes('3006020101020101'), Uint8Array.of(1));
    const input = {
      prevoutTxid: random(32),
      prevoutIndex: 3,
      sequence: undefined,
      requiredTimeLockTime: undefined,
      requiredHeightLockTime: 100,
      scriptSig: undefined,
      value: 10_000n,
      scriptPubkey: scriptOf({ kind: 'p2pkh', hash: ripemd160(sha256(publicKey)) }),
      redeemScript: undefined,
      partialSignatures: new Map([[hex(publicKey), signature]]),
      sighashType: 1,
      bip32Derivation: new Map(),
      ripemd160Preimages: new Map(),
      sha256Preimages: new Map(),
      hash160Preimages: new Map(),
      hash256Preimages: new Map(),
      proprietary: new Map([['other', Uint8Array.of(1)]]),
    };
    const pczt = withField(stage('v6-nu7-ironwood-transparent', 'ready'), 'transparent.inputs', [input]);
    agreed(t, pczt, 'with an input');
    const theirs = run('finalize', [encodePczt(pczt, 2)], '--encoding', 'v2');
    t.is(hex(theirs), hex(encodePczt(finalizeSpends(pczt), 2)));
  });
}
