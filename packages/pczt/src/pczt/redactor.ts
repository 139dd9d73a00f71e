// The Redactor (ZIP 374): removes the fields that the next role does not need to see. The caller keeps the whole PCZT
// and combines the answer into it.

import { type ActionPool, perActionPool } from '@wallet-companion/zcash/pools';
import { signsAnchors } from '@wallet-companion/zcash/transactions';
import { hasCompactFields, omitCompactFields, resolveCompactFields } from './compactFields.ts';
import type { ActionBundle, ActionOutput, ActionSpend, SaplingOutput, SaplingSpend } from './layout.ts';
import type { Pczt } from './pczt.ts';

/** Optional fields that are removed. */
interface Redaction {
  readonly actionSpend: readonly (keyof ActionSpend)[];
  readonly actionOutput: readonly (keyof ActionOutput)[];
  readonly saplingSpend: readonly (keyof SaplingSpend)[];
  readonly saplingOutput: readonly (keyof SaplingOutput)[];
  /** Whose keys the transparent inputs need. */
  readonly inputOwners: boolean;
  /** Trapdoors of actions. */
  readonly rcv: boolean;
  readonly proofs: boolean;
  readonly bsk: boolean;
  /** Anchors that are not signed. */
  readonly anchors: boolean;
}

const DERIVATIONS = ['zip32Derivation'] as const;
const SHOWN = ['ock', ...DERIVATIONS, 'userAddress'] as const;
const NOTHING = { inputOwners: false, rcv: false, proofs: false, bsk: false, anchors: false };

/**
 * - `signer`: deployed devices. Sapling spends keep their witness, from which some signers read the position.
 * - `compactSigner`: signers that restore the compact fields.
 * - `prover`: everything about notes, nothing about who is paid or who signs.
 * - `extractor`: only the parts of the final transaction.
 */
export type View = 'signer' | 'compactSigner' | 'prover' | 'extractor';

const REDACTIONS: Readonly<Record<View, Redaction>> = {
  signer: {
    ...NOTHING,
    actionSpend: ['witness', 'dummySk'],
    actionOutput: [],
    saplingSpend: ['dummyAsk'],
    saplingOutput: [],
  },
  compactSigner: {
    ...NOTHING,
    proofs: true,
    bsk: true,
    anchors: true,
    actionSpend: ['witness', 'dummySk'],
    actionOutput: [],
    saplingSpend: ['dummyAsk', 'zkproof'],
    saplingOutput: ['zkproof'],
  },
  prover: {
    ...NOTHING,
    inputOwners: true,
    actionSpend: ['dummySk', ...DERIVATIONS],
    actionOutput: SHOWN,
    saplingSpend: ['dummyAsk', ...DERIVATIONS],
    saplingOutput: SHOWN,
  },
  extractor: {
    ...NOTHING,
    inputOwners: true,
    rcv: true,
    actionSpend: [
      'recipient',
      'value',
      'rho',
      'rseed',
      'fvk',
      'witness',
      'alpha',
      'zip32Derivation',
      'dummySk',
    ],
    actionOutput: ['recipient', 'value', 'rseed', ...SHOWN],
    saplingSpend: [
      'recipient',
      'value',
      'rcm',
      'rseed',
      'rcv',
      'proofGenerationKey',
      'witness',
      'alpha',
      'zip32Derivation',
      'dummyAsk',
    ],
    saplingOutput: ['recipient', 'value', 'rseed', 'rcv', ...SHOWN],
  },
};

export interface RedactionOptions {
  /** Key prefix of this wallet's proprietary entries, which are removed; other entries are kept. */
  readonly ownProprietaryPrefix?: string;
}

/**
 * Redactor of ZIP 374: a copy without the fields that a role has no use for, by its `view`. What is signed stays as it
 * is.
 */
export function redactPczt(original: Pczt, view: View, options: RedactionOptions = {}): Pczt {
  // The fields from which compact fields are restored are removed below, and deployed devices cannot restore them.
  const pczt =
    view !== 'compactSigner' && hasCompactFields(original) ? resolveCompactFields(original) : original;
  const redaction = REDACTIONS[view];
  const omitsAnchors = redaction.anchors && !signsAnchors(pczt.global.txVersion);
  /** The key 0 of an unused bundle contains no information, and the reference keeps it. */
  const ofBundle = <B extends Bundle>(bundle: B, isUsed: boolean): B => ({
    ...bundle,
    bsk: redaction.bsk && isUsed ? undefined : bundle.bsk,
    anchor: omitsAnchors ? undefined : bundle.anchor,
  });
  const redacted: Pczt = {
    ...pczt,
    transparent: {
      ...pczt.transparent,
      inputs: pczt.transparent.inputs.map((input) =>
        redaction.inputOwners ? { ...input, bip32Derivation: new Map() } : input,
      ),
    },
    sapling: {
      ...ofBundle(pczt.sapling, pczt.sapling.spends.length + pczt.sapling.outputs.length > 0),
      spends: pczt.sapling.spends.map((spend) => without(spend, redaction.saplingSpend)),
      outputs: pczt.sapling.outputs.map((output) => without(output, redaction.saplingOutput)),
    },
    ...perActionPool((pool) => redactActions(ofBundle(pczt[pool], pczt[pool].actions.length > 0), redaction)),
  };
  const kept = withoutOwnProprietary(redacted, view, options.ownProprietaryPrefix);
  return view === 'compactSigner' ? omitCompactFields(kept) : kept;
}

interface Bundle {
  readonly anchor: Uint8Array | undefined;
  readonly bsk: Uint8Array | undefined;
}

const redactActions = (bundle: ActionBundle, redaction: Redaction): ActionBundle => ({
  ...bundle,
  zkproof: redaction.proofs ? undefined : bundle.zkproof,
  actions: bundle.actions.map((action) => ({
    ...action,
    spend: without(action.spend, redaction.actionSpend),
    output: without(action.output, redaction.actionOutput),
    rcv: redaction.rcv ? undefined : action.rcv,
  })),
});

function without<T extends object>(item: T, fields: readonly (keyof T)[]): T {
  const redacted = { ...item };
  for (const field of fields) redacted[field] = undefined as T[keyof T];
  return redacted;
}

interface Proprietary {
  readonly proprietary: ReadonlyMap<string, Uint8Array>;
}

/** Extractors need no proprietary entry. */
function withoutOwnProprietary(pczt: Pczt, view: View, prefix: string | undefined): Pczt {
  const keeps = (key: string): boolean =>
    view !== 'extractor' && !(prefix !== undefined && key.startsWith(prefix));
  const of = <T extends Proprietary>(item: T): T => ({
    ...item,
    proprietary: new Map([...item.proprietary].filter(([key]) => keeps(key))),
  });
  const ofActions = (pool: ActionPool): ActionBundle => ({
    ...pczt[pool],
    actions: pczt[pool].actions.map((action) => ({
      ...action,
      spend: of(action.spend),
      output: of(action.output),
    })),
  });
  const { global, transparent, sapling } = pczt;
  return {
    global: of(global),
    transparent: { inputs: transparent.inputs.map(of), outputs: transparent.outputs.map(of) },
    sapling: { ...sapling, spends: sapling.spends.map(of), outputs: sapling.outputs.map(of) },
    ...perActionPool(ofActions),
  };
}
