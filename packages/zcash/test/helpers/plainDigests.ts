// The digests of ZIP 244 and ZIP 229 written down a second time, straight from their tables and for nothing but tests: each
// node of the tree under a name, so that a test can say which of them a change must reach.
import { blake2b } from '@noble/hashes/blake2.js';
import type {
  ActionEffects,
  SaplingEffects,
  TransactionEffects,
} from '../../src/zcash/transaction/effects.ts';

const le = (value: number | bigint, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i++) bytes[i] = Number((BigInt(value) >> BigInt(8 * i)) & 0xffn);
  return bytes;
};
const compactSize = (n: number): Buffer =>
  n < 253
    ? le(n, 1)
    : n < 65_536
      ? Buffer.concat([le(253, 1), le(n, 2)])
      : Buffer.concat([le(254, 1), le(n, 4)]);
const script = (bytes: Uint8Array): Buffer => Buffer.concat([compactSize(bytes.length), bytes]);

export interface PlainDigests {
  /** By name, in hex. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly root: string;
}

/** `input` undefined for shielded signatures; `hashType` undefined for the txid. */
export function plainDigests(effects: TransactionEffects, hashType?: number, input?: number): PlainDigests {
  const nodes: Record<string, string> = {};
  const b = (name: string, personal: string | Uint8Array, ...parts: Uint8Array[]): Uint8Array => {
    const personalization = typeof personal === 'string' ? Buffer.from(personal, 'latin1') : personal;
    const digest = blake2b(Buffer.concat(parts), { dkLen: 32, personalization });
    nodes[name] = Buffer.from(digest).toString('hex');
    return digest;
  };
  const v6 = effects.version === 6;
  const { inputs, outputs } = effects;
  const header = b(
    'header',
    'ZTxIdHeadersHash',
    le(0x8000_0000 + effects.version, 4),
    le(v6 ? 0xd884b698 : 0x26a7270a, 4),
    le(effects.consensusBranchId, 4),
    le(effects.lockTime, 4),
    le(effects.expiryHeight, 4),
  );

  const outpoint = (i: (typeof inputs)[number]) => Buffer.concat([i.prevTxid, le(i.prevIndex, 4)]);
  const output = (o: (typeof outputs)[number]) => Buffer.concat([le(o.value, 8), script(o.scriptPubKey)]);
  const isCoinbase =
    inputs.length === 1 && outpoint(inputs[0]!).equals(Buffer.concat([Buffer.alloc(32), le(0xffff_ffff, 4)]));
  let transparent: Uint8Array;
  if (hashType === undefined || inputs.length === 0 || isCoinbase) {
    const parts =
      inputs.length + outputs.length === 0
        ? []
        : [
            b('prevouts', 'ZTxIdPrevoutHash', ...inputs.map(outpoint)),
            b('sequences', 'ZTxIdSequencHash', ...inputs.map((i) => le(i.sequence, 4))),
            b('outputs', 'ZTxIdOutputsHash', ...outputs.map(output)),
          ];
    transparent = b('transparent', 'ZTxIdTranspaHash', ...parts);
  } else {
    const some = (hashType & 0x80) === 0 ? inputs : [];
    const kind = hashType & 0x1f;
    const covered = kind === 2 ? [] : kind === 3 ? [outputs[input ?? 0]!] : outputs;
    const own = input === undefined ? undefined : inputs[input]!;
    transparent = b(
      'transparent',
      'ZTxIdTranspaHash',
      le(hashType, 1),
      b('prevouts', 'ZTxIdPrevoutHash', ...some.map(outpoint)),
      b('amounts', 'ZTxTrAmountsHash', ...some.map((i) => le(i.value, 8))),
      b('scripts', 'ZTxTrScriptsHash', ...some.map((i) => script(i.scriptPubKey))),
      b('sequences', 'ZTxIdSequencHash', ...some.map((i) => le(i.sequence, 4))),
      b('outputs', 'ZTxIdOutputsHash', ...covered.map(output)),
      own
        ? b(
            'input',
            'Zcash___TxInHash',
            outpoint(own),
            le(own.value, 8),
            script(own.scriptPubKey),
            le(own.sequence, 4),
          )
        : b('input', 'Zcash___TxInHash'),
    );
  }

  const saplingOf = ({ spends, outputs: outs, valueBalance, anchor }: SaplingEffects): Uint8Array[] => {
    if (spends.length + outs.length === 0) return [];
    const spendParts = () => [
      b('sapling spends compact', 'ZTxIdSSpendCHash', ...spends.map((s) => s.nullifier)),
      b(
        'sapling spends noncompact',
        v6 ? 'ZTxIdSSpendNH_v6' : 'ZTxIdSSpendNHash',
        ...spends.flatMap((s) => [s.cv, ...(v6 ? [] : [anchor!]), s.rk]),
      ),
    ];
    const outputParts = () => [
      b(
        'sapling outputs compact',
        'ZTxIdSOutC__Hash',
        ...outs.flatMap((o) => [o.cmu, o.ephemeralKey, o.encCiphertext.subarray(0, 52)]),
      ),
      b('sapling memos', 'ZTxIdSOutM__Hash', ...outs.map((o) => o.encCiphertext.subarray(52, 564))),
      b(
        'sapling outputs noncompact',
        'ZTxIdSOutN__Hash',
        ...outs.flatMap((o) => [o.cv, o.encCiphertext.subarray(564), o.outCiphertext]),
      ),
    ];
    return [
      b('sapling spends', 'ZTxIdSSpendsHash', ...(spends.length > 0 ? spendParts() : [])),
      b('sapling outputs', 'ZTxIdSOutputHash', ...(outs.length > 0 ? outputParts() : [])),
      le(valueBalance, 8),
    ];
  };
  const sapling = b('sapling', 'ZTxIdSaplingHash', ...(effects.sapling ? saplingOf(effects.sapling) : []));

  const actionsOf = (name: string, personal: readonly string[], bundle?: ActionEffects): Uint8Array => {
    const [all = '', compact = '', memos = '', rest = ''] = personal;
    if (bundle === undefined || bundle.actions.length === 0) return b(name, all);
    const { actions, flags, valueBalance, anchor } = bundle;
    return b(
      name,
      all,
      b(
        `${name} compact`,
        compact,
        ...actions.flatMap((a) => [a.nullifier, a.cmx, a.ephemeralKey, a.encCiphertext.subarray(0, 52)]),
      ),
      b(`${name} memos`, memos, ...actions.map((a) => a.encCiphertext.subarray(52, 564))),
      b(
        `${name} noncompact`,
        rest,
        ...actions.flatMap((a) => [a.cv, a.rk, a.encCiphertext.subarray(564), a.outCiphertext]),
      ),
      le(flags, 1),
      le(valueBalance, 8),
      ...(v6 ? [] : [anchor!]),
    );
  };
  const compactAndRest = ['ZTxIdOrcActCHash', 'ZTxIdOrcActMHash', 'ZTxIdOrcActNHash'];
  const orchard = actionsOf(
    'orchard',
    [v6 ? 'ZTxIdOrchardH_v6' : 'ZTxIdOrchardHash', ...compactAndRest],
    effects.orchard,
  );
  const ironwood = v6
    ? [
        actionsOf(
          'ironwood',
          ['ZTxIdIronwd_H_v6', 'ZTxIdIrnActCH_v6', 'ZTxIdIrnActMH_v6', 'ZTxIdIrnActNH_v6'],
          effects.ironwood,
        ),
      ]
    : [];
  const personal = Buffer.concat([Buffer.from('ZcashTxHash_'), le(effects.consensusBranchId, 4)]);
  b('root', personal, header, transparent, sapling, orchard, ...ironwood);
  return { nodes, root: nodes['root']! };
}
