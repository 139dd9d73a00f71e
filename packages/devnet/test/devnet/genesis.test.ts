import { coinbaseHeight, parseBlock } from '@wallet-companion/zcash/blocks';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { txid } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { regtestGenesisBlock } from '../../src/devnet/genesis.ts';

test('the regtest genesis block has the hash of the network', (t) => {
  const { header, transactions } = parseBlock(regtestGenesisBlock());
  t.is(toDisplayHex(header.hash), regtestParameters().genesisHash);
  t.is(transactions.length, 1);
  t.deepEqual(txid(transactions[0]!), header.merkleRoot);
  t.is(coinbaseHeight(transactions[0]!), 0);
});
