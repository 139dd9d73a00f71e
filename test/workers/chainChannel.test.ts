// The chain side through a port: what is sent arrives as it is, and failures keep their codes.
import { MessageChannel } from 'node:worker_threads';
import type { ChainService } from '@wallet-companion/chain/ports';
import { asTxId } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { chainChannel, remoteChain, serveChain } from '../../src/workers/chainChannel.ts';

test('a transaction goes through with its bytes, its outcome and the failures on the way', async (t) => {
  const raw = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
  const txid = asTxId(new Uint8Array(32).fill(7));
  let failure: CompanionError | undefined;
  const chain: Pick<ChainService, 'sendTransaction' | 'transactionStatus'> = {
    sendTransaction: (query) => {
      t.deepEqual(query, { source: 'server', server: 'http://127.0.0.1:1', raw, txid });
      if (failure !== undefined) return Promise.reject(failure);
      return Promise.resolve({ kind: 'refused', reason: 'conflict', text: 'spent' });
    },
    transactionStatus: (query) => {
      t.deepEqual(query, { source: 'compact', txid });
      return Promise.resolve({ kind: 'mined', height: 7 });
    },
  };
  const { port1, port2 } = new MessageChannel();
  serveChain(port2, chain as ChainService, (where) => t.fail(where));
  const channel = chainChannel(port1);
  const remote = remoteChain(() => channel);
  const send = () => remote.sendTransaction({ source: 'server', server: 'http://127.0.0.1:1', raw, txid });
  t.deepEqual(await send(), { kind: 'refused', reason: 'conflict', text: 'spent' });
  t.is(raw.length, 100_000);
  t.deepEqual(await remote.transactionStatus({ source: 'compact', txid }), { kind: 'mined', height: 7 });
  failure = new CompanionError('NODE_UNREACHABLE', 'Away.');
  await t.throwsAsync(send(), { message: 'Away.' });
  await t.throwsAsync(send(), { instanceOf: CompanionError });
  port1.close();
});
