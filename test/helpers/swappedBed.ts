// A compact server that swaps outputs of blocks for others, which a compact block's hash does not show.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { Devnet } from '@wallet-companion/devnet';
import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { CompactBlockSchema } from '@wallet-companion/zcash/compactProto';
import type { ExecutionContext } from 'ava';
import { companionWorld, ORCHARD_FIRST, PARAMS, type WorldOptions } from './companionWorld.ts';
import { startLyingCompactServer } from './lyingSources.ts';

export const ZEC = 100_000_000;

/** The actions of a block that pays the address, on a chain of another seed. */
function paidElsewhere(address: string) {
  const elsewhere = new Devnet({ seed: 'elsewhere', params: PARAMS });
  elsewhere.mineEmpty(8);
  elsewhere.payTo(address, { pool: 'ironwood', zatoshi: BigInt(3 * ZEC) });
  return fromBinary(CompactBlockSchema, elsewhere.tip.compact).vtx.flatMap(
    ({ ironwoodActions }) => ironwoodActions,
  );
}

/**
 * A payment to a stranger at block 10 and one to the wallet at block 12. The compact server makes the former one to the wallet, and
 * hides the latter.
 */
export async function startSwappedBed(t: ExecutionContext, options: WorldOptions) {
  const bed = await companionWorld(t, { ...ORCHARD_FIRST, ...options });
  const { devnet, wallet, address } = bed;
  const [own] = paidElsewhere(address);
  const server = await startLyingCompactServer(t, (await wallet.call('config.get')).compact_server_url);
  server.lie = (method, message) => {
    if (!method.startsWith('GetBlock')) return [message];
    const block = fromBinary(CompactBlockSchema, message);
    const outputs = block.vtx.flatMap(({ ironwoodActions }) => ironwoodActions);
    const [output] = outputs;
    if (output === undefined) return [message];
    if (Number(block.height) === strangers) Object.assign(output, own);
    else if (Number(block.height) === ours) for (const one of outputs) one.ciphertext[0]! ^= 1;
    return [toBinary(CompactBlockSchema, block)];
  };
  devnet.mineEmpty(8);
  devnet.payTo(orchardAddress(9), { pool: 'ironwood', zatoshi: BigInt(ZEC) });
  const strangers = devnet.tip.height;
  devnet.mineEmpty(1);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: BigInt(ZEC / 2) });
  const ours = devnet.tip.height;
  devnet.mineEmpty(12);
  await wallet.call('config.compact_server_url', { url: server.url });
  return { ...bed, bed, wallet, devnet, server, strangers, ours };
}
