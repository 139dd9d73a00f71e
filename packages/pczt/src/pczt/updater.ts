// The Updater (ZIP 374): adds unsigned fields that signers and provers need. Anchors and witnesses are checked against
// each other, so that every PCZT from here can be proved.
import { equalBytes } from '@wallet-companion/base/bytes';
import { parseOrchardFullViewingKey } from '@wallet-companion/zcash/keys';
import { leadByteOf } from '@wallet-companion/zcash/notes';
import { type ActionPool, isActionPool, POOL, type Pool } from '@wallet-companion/zcash/pools';
import { signsAnchors } from '@wallet-companion/zcash/transactions';
import { TREE_DEPTH, TREE_HASH } from '@wallet-companion/zcash/trees';
import type { Action, ActionBundle, Derivation, SaplingBundle, SaplingSpend, Witness } from './layout.ts';
import { noteOf } from './outputNote.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';

/** An absent field is not changed. */
export interface SpendUpdate {
  readonly zip32Derivation?: Derivation;
  readonly witness?: Witness;
  /** For pools of actions. */
  readonly fvk?: Uint8Array;
  /** For Sapling. */
  readonly proofGenerationKey?: { readonly ak: Uint8Array; readonly nsk: Uint8Array };
}

export interface OutputUpdate {
  readonly zip32Derivation?: Derivation;
  readonly userAddress?: string;
}

/** The root that follows from a leaf and its path. */
export function rootOfWitness(pool: Pool, leaf: Uint8Array, { position, path }: Witness): Uint8Array {
  const { combine } = TREE_HASH[POOL[pool].protocol];
  let node = leaf;
  for (let level = 0; level < TREE_DEPTH; level++) {
    const sibling = path.subarray(32 * level, 32 * level + 32);
    node = ((position >>> level) & 1) === 0 ? combine(level, node, sibling) : combine(level, sibling, node);
  }
  return node;
}

/**
 * Sets the anchor (a root of 32 bytes) of a pool whose transaction version leaves it open. Existing witnesses must lead
 * to it; `clearAnchor` first removes those of an earlier anchor. Throws `PcztRefusal` where it is signed or proved, or
 * another one is set.
 */
export function setAnchor(pczt: Pczt, pool: Pool, anchor: Uint8Array): Pczt {
  return inField(pool, () => {
    const bundle = pczt[pool];
    if (bundle.anchor !== undefined && equalBytes(bundle.anchor, anchor)) return pczt;
    refuseSignedAnchor(pczt);
    if (bundle.anchor !== undefined) refuse('conflict', 'anchor', 'another one is set; clear it first');
    checkUnproved(pczt, pool);
    const updated = { ...pczt, [pool]: { ...bundle, anchor } };
    checkWitnesses(updated, pool);
    return updated;
  });
}

function refuseSignedAnchor({ global: { txVersion } }: Pczt): void {
  if (signsAnchors(txVersion)) refuse('notAllowed', 'anchor', `that of version ${txVersion} is signed`);
}

/**
 * Removes a pool's anchor and all that depends on it: witnesses and proofs. Signatures and the txid stay. Throws
 * `PcztRefusal` where the version signs anchors.
 */
export function clearAnchor(pczt: Pczt, pool: Pool): Pczt {
  inField(pool, () => refuseSignedAnchor(pczt));
  if (isActionPool(pool)) {
    const actions = pczt[pool].actions.map((action) => ({
      ...action,
      spend: { ...action.spend, witness: undefined },
    }));
    return { ...pczt, [pool]: { ...pczt[pool], actions, anchor: undefined, zkproof: undefined } };
  }
  const { sapling } = pczt;
  const spends = sapling.spends.map((spend) => ({ ...spend, witness: undefined, zkproof: undefined }));
  return { ...pczt, sapling: { ...sapling, spends, anchor: undefined } };
}

/**
 * Updater of ZIP 374: a copy with these fields set at the spend, from 0; a witness is checked against note and anchor.
 * Throws `PcztRefusal` for what does not fit, or comes after the proofs.
 */
export function updateSpend(pczt: Pczt, pool: Pool, index: number, update: SpendUpdate): Pczt {
  if (update.witness !== undefined) inField(pool, () => checkUnproved(pczt, pool));
  if (isActionPool(pool)) {
    return inField(`${pool}.actions[${index}].spend`, () => {
      const action = itemAt(pczt[pool].actions, index);
      if (update.proofGenerationKey) refuse('notAllowed', 'proofGenerationKey', 'this pool has none');
      if (update.fvk) checkFvk(update.fvk);
      const changed = { ...action, spend: { ...action.spend, ...definedOf(update) } };
      if (update.witness) checkWitness(pool, leafOfAction(pool, changed), update.witness, pczt[pool].anchor);
      return { ...pczt, [pool]: withAction(pczt[pool], index, changed) };
    });
  }
  return inField(`sapling.spends[${index}]`, () => {
    const spend = itemAt(pczt.sapling.spends, index);
    if (update.fvk) refuse('notAllowed', 'fvk', 'this pool has none');
    const changed: SaplingSpend = { ...spend, ...definedOf(update) };
    if (update.witness) checkWitness(pool, leafOfSpend(changed), update.witness, pczt.sapling.anchor);
    const spends = pczt.sapling.spends.map((one, i) => (i === index ? changed : one));
    return { ...pczt, sapling: { ...pczt.sapling, spends } };
  });
}

/**
 * Updater of ZIP 374: a copy with these fields set at the output (of an action: its output half), from 0. Throws
 * `PcztRefusal` for a field that this pool has not, or an index that is not there.
 */
export function updateOutput(
  pczt: Pczt,
  pool: Pool | 'transparent',
  index: number,
  update: OutputUpdate,
): Pczt {
  if (pool === 'transparent') {
    if (update.zip32Derivation) refuse('notAllowed', 'transparent.outputs', 'their keys are not of ZIP 32');
    return { ...pczt, transparent: { ...pczt.transparent, outputs: changed(pczt.transparent.outputs) } };
  }
  if (!isActionPool(pool))
    return { ...pczt, sapling: { ...pczt.sapling, outputs: changed(pczt.sapling.outputs) } };
  const action = inField(`${pool}.actions`, () => itemAt(pczt[pool].actions, index));
  const output = { ...action.output, ...definedOf(update) };
  return { ...pczt, [pool]: withAction(pczt[pool], index, { ...action, output }) };

  function changed<T>(items: readonly T[]): readonly T[] {
    inField(`${pool}.outputs`, () => itemAt(items, index));
    return items.map((item, i) => (i === index ? { ...item, ...definedOf(update) } : item));
  }
}

const definedOf = <T extends object>(update: T): T =>
  Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)) as T;

const itemAt = <T>(items: readonly T[], index: number): T =>
  items[index] ?? refuse('missing', '', `there is no number ${index}`);

const withAction = (bundle: ActionBundle, index: number, changed: Action): ActionBundle => ({
  ...bundle,
  actions: bundle.actions.map((action, i) => (i === index ? changed : action)),
});

function checkFvk(fvk: Uint8Array): void {
  inField('fvk', () => parseOrchardFullViewingKey(fvk));
}

function checkUnproved(pczt: Pczt, pool: Pool): void {
  const bundle: ActionBundle | SaplingBundle = pczt[pool];
  const proved = 'actions' in bundle ? bundle.zkproof : bundle.spends.find(({ zkproof }) => zkproof)?.zkproof;
  if (proved !== undefined) refuse('notAllowed', 'anchor', 'the bundle is proved for the one it has');
}

/** The note's commitment; undefined where its fields are missing, or it has value 0 and so needs no position. */
function leafOfAction(pool: ActionPool, { spend }: Action): Uint8Array | undefined {
  const { recipient, value, rho, rseed } = spend;
  if (!recipient || !value || !rho || !rseed) return undefined;
  return leafOf(pool, { leadByte: leadByteOf(pool), recipient, value, rho, rseed });
}

function leafOfSpend({ recipient, value, rseed, rcm }: SaplingSpend): Uint8Array | undefined {
  const seed = rseed ?? rcm;
  if (!recipient || !value || !seed) return undefined;
  const leadByte = rseed === undefined ? 1 : 2;
  return leafOf('sapling', { leadByte, recipient, value, rseed: seed, rho: new Uint8Array(0) });
}

const leafOf = (pool: Pool, described: Parameters<typeof noteOf>[1]): Uint8Array =>
  noteOf(pool, described)?.commitment ?? refuse('inconsistent', '', 'its fields make no note');

function checkWitness(
  pool: Pool,
  leaf: Uint8Array | undefined,
  witness: Witness,
  anchor: Uint8Array | undefined,
): void {
  if (leaf === undefined || anchor === undefined) return;
  if (!equalBytes(rootOfWitness(pool, leaf, witness), anchor))
    refuse('inconsistent', 'witness', 'it does not lead from the note to the anchor');
}

function checkWitnesses(pczt: Pczt, pool: Pool): void {
  const { anchor } = pczt[pool];
  if (isActionPool(pool)) {
    pczt[pool].actions.forEach((action, i) => {
      const { witness } = action.spend;
      inField(`actions[${i}].spend`, () => {
        if (witness) checkWitness(pool, leafOfAction(pool, action), witness, anchor);
      });
    });
    return;
  }
  pczt.sapling.spends.forEach((spend, i) => {
    inField(`spends[${i}]`, () => {
      if (spend.witness) checkWitness(pool, leafOfSpend(spend), spend.witness, anchor);
    });
  });
}
