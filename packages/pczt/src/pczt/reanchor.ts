// Replaces the anchors of a finalized PCZT, for example after a reorganisation removed them from the chain (ZIP 374: no
// signature of version 6 covers an anchor). Signatures and txid stay; proofs must be made again.
import { bytesToHex } from '@wallet-companion/base/bytes';
import { isActionPool, type PerPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { signsAnchors } from '@wallet-companion/zcash/transactions';
import type { Witness } from './layout.ts';
import type { Pczt } from './pczt.ts';
import { refuse } from './refusal.ts';
import { finish, type Steps } from './steps.ts';
import { clearAnchor, setAnchor, updateSpend } from './updater.ts';

/** New roots of the trees, and the paths of the spent notes to them. */
export interface NewAnchors {
  readonly roots: Readonly<PerPool<Uint8Array>>;
  /** By nullifier, in hexadecimal. Notes of value 0 need none. */
  readonly witnesses: ReadonlyMap<string, Witness>;
}

/** Whether signatures leave the anchors open. */
export const mayReanchor = ({ global }: Pczt): boolean => !signsAnchors(global.txVersion);

/** The pools whose anchors get into the transaction: Sapling outputs need none. */
export const anchoredPools = ({ sapling, ...pools }: Pczt): Pool[] =>
  POOLS.filter((pool) => (isActionPool(pool) ? pools[pool].actions.length > 0 : sapling.spends.length > 0));

/** The PCZT without anchors, witnesses and the proofs that depend on them. Throws `PcztRefusal` where anchors are signed. */
export const withoutAnchors = (pczt: Pczt): Pczt => anchoredPools(pczt).reduce(clearAnchor, pczt);

/**
 * Sets these roots as the anchors of all used pools, with the witnesses of their notes. Throws `PcztRefusal` where anchors
 * are signed, a witness is missing or leads elsewhere, or a Sapling note has moved (its nullifier follows from its place).
 */
export const reanchor = (pczt: Pczt, anchors: NewAnchors): Pczt => finish(reanchoring(pczt, anchors));

/** The same in steps: a path takes 32 hashes. */
export function* reanchoring(pczt: Pczt, { roots, witnesses }: NewAnchors): Steps<Pczt> {
  let done = pczt;
  for (const pool of anchoredPools(pczt)) {
    done = setAnchor(clearAnchor(done, pool), pool, roots[pool]);
    const spends = isActionPool(pool) ? pczt[pool].actions.map(({ spend }) => spend) : pczt.sapling.spends;
    for (const [i, { nullifier, value, witness: before }] of spends.entries()) {
      const witness = value === 0n ? before : witnesses.get(bytesToHex(nullifier));
      const field = isActionPool(pool) ? `${pool}.actions[${i}].spend` : `${pool}.spends[${i}]`;
      if (witness === undefined) return refuse('missing', field, 'its note has no witness to the new anchor');
      if (!isActionPool(pool) && before !== undefined && before.position !== witness.position)
        refuse('notAllowed', field, 'its note has moved, and its nullifier is that of the place before');
      yield;
      done = updateSpend(done, pool, i, { witness });
    }
  }
  return done;
}
