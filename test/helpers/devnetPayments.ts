// Payments over the notes that a devnet has made: prepared by the product from witnesses of the devnet's trees, signed by the
// test signer, and extracted, so that all of it but the proofs is real.

import type { Height } from '@wallet-companion/base/values';
import type { Devnet, DevnetAccount, OwnedNote } from '@wallet-companion/devnet';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { extractPczt } from '@wallet-companion/pczt/pcztRoles';
import {
  buildPczt,
  type OwnNote,
  type Proposal,
  type ProposalOptions,
  proposePayment,
} from '@wallet-companion/pczt/spending';
import { completedPczt } from '@wallet-companion/pczt/test/completion';
import { NOW } from '@wallet-companion/pczt/test/spendingAccount';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import { deriveViewingKeys, incomingKeys } from '@wallet-companion/zcash/keys';
import { type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { type SmallTree, smallTree } from '@wallet-companion/zcash/test/noteTree';

/** Who has a seed, and an account of it on a devnet. */
export interface Payer {
  readonly seed: Uint8Array;
  readonly index: number;
  readonly account: DevnetAccount;
}

export interface PaymentOrder {
  readonly address: string;
  /** Left out: everything. */
  readonly zatoshi?: number;
  readonly memo?: Uint8Array;
  readonly options?: ProposalOptions;
  readonly randomBytes: RandomBytes;
}

export interface DevnetPayment {
  readonly proposal: Proposal<OwnNote>;
  /** As it goes to the signer. */
  readonly prepared: Pczt;
  readonly raw: Uint8Array;
  readonly txid: TxId;
}

interface SpendableNote extends OwnNote {
  readonly owned: OwnedNote;
}

/** For the next block, from notes in any block so far, of which others may be spent in the mempool already. */
export function devnetPayment(
  devnet: Devnet,
  { seed, index, account }: Payer,
  { address, zatoshi, memo, options, randomBytes }: PaymentOrder,
): DevnetPayment {
  const { params, tip } = devnet;
  const keys = deriveViewingKeys(seed, params, index);
  const proposal = proposePayment<SpendableNote>({
    params,
    targetHeight: tip.height + 1,
    scannedHeight: tip.height,
    now: NOW,
    notes: account.unspent().map(spendable),
    protocols: ['sapling', 'orchard'],
    ownKeys: incomingKeys(keys, index),
    payments: [
      { address, ...(zatoshi === undefined ? {} : { zatoshi }), ...(memo === undefined ? {} : { memo }) },
    ],
    options: {
      confirmations: { change: 1, received: 1 },
      everything: zatoshi === undefined,
      ...options,
    },
  });
  const trees = perPool((pool) => treeAt(devnet, pool, proposal.anchorHeight));
  const { pczt: prepared } = buildPczt({
    params,
    proposal,
    openings: proposal.spends.map(({ pool, position, owned: { note } }) => ({
      leadByte: note.leadByte,
      recipient: note.recipient,
      rseed: note.rseed,
      rho: note.rho,
      path: trees[pool].pathOf(position),
    })),
    anchors: perPool((pool) => trees[pool].root),
    keys,
    randomBytes,
  });
  const signed = completedPczt(prepared, { seed, params, account: index, randomBytes });
  const extracted = extractPczt(signed, randomBytes);
  if (!extracted.ok) throw new Error(JSON.stringify(extracted.problems));
  return { proposal, prepared, raw: extracted.bytes, txid: extracted.txid };
}

function spendable(owned: OwnedNote): SpendableNote {
  const { note, key, mined } = owned;
  return {
    owned,
    pool: note.pool,
    zatoshi: Number(note.value),
    height: mined!.height,
    position: mined!.position,
    isChange: key.scope === 'internal',
    isReserved: false,
  };
}

/** Of a devnet that began with empty trees. */
function treeAt({ blocks }: Devnet, pool: Pool, height: Height): SmallTree {
  const leaves = blocks.blocks
    .filter((block) => block.height <= height)
    .flatMap((block) => block.leaves(pool));
  return smallTree(pool, leaves);
}
