import test from 'ava';
import { regtestGenesisBlock } from '../../src/devnet/genesis.ts';
import { parseBlock } from '../../src/shielded/encoding/block.ts';
import { coinbaseHeight } from '../../src/shielded/encoding/coinbaseHeight.ts';
import { txid } from '../../src/shielded/encoding/txid.ts';
import { toDisplayHex } from '../../src/shielded/identifiers.ts';
import { regtestParameters } from '../../src/shielded/network.ts';

test('the regtest genesis block has the hash of the network', (t) => {
  const { header, transactions } = parseBlock(regtestGenesisBlock());
  t.is(toDisplayHex(header.hash), regtestParameters().genesisHash);
  t.is(transactions.length, 1);
  t.deepEqual(txid(transactions[0]!), header.merkleRoot);
  t.is(coinbaseHeight(transactions[0]!), 0);
});
