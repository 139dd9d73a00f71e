// The unspent transparent outputs of the best chain, read from its blocks at each call: few callers want them.

import { bytesToHex } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { encodeTransparentAddress, transparentReceiverOf } from '@wallet-companion/zcash/addresses';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import { isCoinbase } from '@wallet-companion/zcash/signing';
import {
  parseTransaction,
  type TransparentOutput,
  transactionContents,
} from '@wallet-companion/zcash/transactions';
import type { ChainView } from './chainView.ts';

export interface TransparentCoin extends TransparentOutput {
  readonly txid: TxId;
  readonly index: number;
  readonly height: Height;
  readonly isCoinbase: boolean;
}

/** An output as its spender names it. */
export const nameOfOutput = (txid: Uint8Array, index: number): string => `${bytesToHex(txid)}:${index}`;

/** By name, in the order of the chain. Nothing of the first block, which may be genesis, can be spent. */
export function unspentCoins({ blocks }: Pick<ChainView, 'blocks'>): Map<string, TransparentCoin> {
  const coins = new Map<string, TransparentCoin>();
  for (const { height, transactions } of blocks.blocks.slice(1))
    for (const { txid, bytes } of transactions) {
      const { inputs, outputs } = transactionContents(parseTransaction(bytes));
      for (const { prevTxid, prevIndex } of inputs) coins.delete(nameOfOutput(prevTxid, prevIndex));
      outputs.forEach((output, index) => {
        const coin = { ...output, txid, index, height, isCoinbase: isCoinbase(inputs) };
        coins.set(nameOfOutput(txid, index), coin);
      });
    }
  return coins;
}

/** Those at the addresses, each with its address. */
export function coinsAt(
  view: Pick<ChainView, 'blocks' | 'params'>,
  addresses: readonly string[],
): (TransparentCoin & { readonly address: string })[] {
  return [...unspentCoins(view).values()].flatMap((coin) => {
    const receiver = transparentReceiverOf(coin.scriptPubKey);
    const address = receiver && encodeTransparentAddress(receiver, view.params.network);
    return address !== undefined && addresses.includes(address) ? [{ ...coin, address }] : [];
  });
}
