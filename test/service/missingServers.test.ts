// What a first start says where no server is there.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { logMissingServers } from '../../src/service/companionService.ts';
import { FakeLink } from '../helpers/fakeLink.ts';

const { output: status } = examples['system.status'];
const away = { ...status.node, state: 'lost' } as const;

async function reported(states: object, exists: boolean): Promise<string[]> {
  const link = new FakeLink();
  const [wallet] = examples['wallets.list'].output.wallets;
  link.answerWith('wallets.list', () => ok({ wallets: [{ ...wallet!, exists }], most_open: 16 }));
  link.answerWith('system.status', () => ok({ ...status, ...states }));
  const lines: string[] = [];
  await logMissingServers(link, () => 'test', { warn: (_, line) => lines.push(line) });
  return lines;
}

test('a first start without any server says how to name a compact-block server', async (t) => {
  const none = { node: away, compact_server: away };
  const [line = '', ...more] = await reported(none, false);
  t.deepEqual(more, []);
  t.regex(
    line,
    /"wallet-companion setup".*"wallet-companion config compact-server-url https:\/\/host:443".*"wallet-companion config block-source peers"/,
  );
  t.deepEqual(await reported(none, true), [], 'a wallet is there: this is no first start');
  for (const one of ['node', 'compact_server'])
    t.deepEqual(await reported({ ...none, [one]: { ...away, state: 'up' } }, false), []);
});
