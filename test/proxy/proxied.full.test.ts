// Nothing leaves beside the proxy: the whole companion in a network namespace whose only interface counts what goes out.

import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const script = fileURLToPath(new URL('support/proxied.js', import.meta.url));

/** $0: a resolv.conf whose server is beyond that interface. The rest: the command. */
const SETUP = [
  'mount --bind "$0" /etc/resolv.conf',
  'ip link set lo up',
  'ip link add out0 type veth peer name out1',
  'for one in out0 out1; do echo 1 > /proc/sys/net/ipv6/conf/$one/disable_ipv6; done',
  'ip link set out1 up',
  'ip addr add 10.9.9.1/24 dev out0',
  'ip link set out0 arp off multicast off up',
  'ip route add default dev out0',
  'exec "$@"',
].join(' && ');

const within = (resolver: string, ...command: string[]): string[] => [
  '-rnm',
  'sh',
  '-c',
  SETUP,
  resolver,
  ...command,
];

test('the companion asks node, compact server, peers, hooks and prices through the proxy alone', async (t) => {
  const resolver = path.join(temporaryFolder(t), 'resolv.conf');
  writeFileSync(resolver, 'nameserver 10.9.9.9\n');
  if (process.platform !== 'linux' || spawnSync('unshare', within(resolver, 'true')).status !== 0) {
    t.pass('this machine allows no network namespace');
    return;
  }
  const { stdout } = await promisify(execFile)('unshare', within(resolver, process.execPath, script));
  const { hosts, logins, packets, states } = JSON.parse(stdout);
  for (const host of ['node.invalid', 'compact.invalid', 'peer.onion', 'price.onion', 'hook.onion'])
    t.true(hosts.includes(host), host);
  t.true(logins >= 5);
  t.deepEqual(states, ['up', 'up']);
  t.is(packets, 0);
});
