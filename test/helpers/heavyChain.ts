// A devnet whose blocks are as large as blocks may be and cost next to nothing to make: filler that a wallet reads
// past. Every round replaces the top blocks by others of the same heights, so that both sources read all of them again,
// the compact one over the wire too.

import { concatBytes } from '@wallet-companion/base/bytes';
import { Devnet } from '@wallet-companion/devnet';
import { bytesField, messageField, uintField } from '@wallet-companion/zcash/compactBlocks';
import { parseTransaction, serializeTransaction, txid } from '@wallet-companion/zcash/transactions';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';

type BuiltTransaction = ReturnType<Devnet['pay']>;

const SCRIPT_BYTES = 9_000;
const SCRIPTS = 200;
/** Of a block: filler, and some hundred bytes. */
export const HEAVY_BYTES = SCRIPT_BYTES * SCRIPTS;
/** Well within what a wallet follows of a reorganisation. */
export const HEAVY_BLOCKS = 20;
const CONSENSUS_BRANCH_NU5 = 0xc2d6_d0b4;

/** CompactTx with transparent data, which is nothing to us: a field that is not known. */
const FILLER_FIELD = 99;

function fillerTransaction(): BuiltTransaction {
  const scriptPubKey = new Uint8Array(SCRIPT_BYTES).fill(0x6a);
  const bytes = serializeTransaction({
    version: 5,
    consensusBranchId: CONSENSUS_BRANCH_NU5,
    lockTime: 0,
    expiryHeight: 0,
    inputs: [
      { prevTxid: new Uint8Array(32).fill(7), prevIndex: 0, scriptSig: new Uint8Array(0), sequence: 0 },
    ],
    outputs: Array.from({ length: SCRIPTS }, () => ({ value: 0n, scriptPubKey })),
  });
  return {
    txid: txid(parseTransaction(bytes)),
    version: 5,
    bytes,
    fee: 0n,
    notes: [],
    spends: [],
    leafCounts: EMPTY_TREES,
  };
}

export class HeavyChain {
  readonly devnet: Devnet;
  readonly #filler = fillerTransaction();
  readonly #compactFiller: Uint8Array;

  constructor() {
    this.devnet = new Devnet({ seed: 'heavy' });
    const { txid: id } = this.#filler;
    const fields = [
      uintField(1, 1),
      bytesField(2, id),
      bytesField(FILLER_FIELD, new Uint8Array(HEAVY_BYTES).fill(0x6a)),
    ];
    this.#compactFiller = messageField(7, concatBytes(...fields));
  }

  /** The lowest heavy height, and the highest. */
  get range(): { readonly start: number; readonly end: number } {
    const { height } = this.devnet.tip;
    return { start: height - HEAVY_BLOCKS + 1, end: height };
  }

  /** Puts the heavy blocks on top; nothing may be mined after. */
  begin(): void {
    for (let i = 0; i < HEAVY_BLOCKS; i++) this.devnet.mine({ transactions: [this.#filler] });
    this.#fatten();
  }

  /** Puts others in their place. */
  replace(): void {
    const options = Array.from({ length: HEAVY_BLOCKS }, () => ({ transactions: [this.#filler] }));
    this.devnet.reorganise(HEAVY_BLOCKS, options);
    this.#fatten();
  }

  #fatten(): void {
    const { start, end } = this.range;
    for (let height = start; height <= end; height++) {
      const block = this.devnet.blocks.at(height);
      if (block === undefined) throw new Error(`block ${height} is missing`);
      const value = concatBytes(block.compact, this.#compactFiller);
      Object.defineProperty(block, 'compact', { value });
    }
  }
}
