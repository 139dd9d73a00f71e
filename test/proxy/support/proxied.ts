// Runs the whole companion against servers of this machine that only a proxy knows, and prints whom it asked and how many packets
// left by the one network interface. It is started in a network namespace of its own.

import { lookup } from 'node:dns';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocksProxy } from '@wallet-companion/base/test/socksProxy';
import { FixtureCompactServer } from '../../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../../helpers/fixtureNode.ts';
import { compactMain, FIRST, MAIN_INFO, rawMain, TREES_BEFORE } from '../../helpers/knownSeedBlocks.ts';
import { startService } from '../../helpers/service.ts';

const ends: (() => unknown)[] = [];
const t = { teardown: (end: () => unknown) => void ends.push(end) };

/** Packets that were sent to what is not on this machine. */
function sent(): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((one) => one.includes('out0:'));
  return Number(line?.split(':')[1]?.trim().split(/\s+/)[9]);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(50);
}

const folder = mkdtempSync(path.join(tmpdir(), 'companion-proxied-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const secret_file = path.join(folder, 'secret');
writeFileSync(secret_file, 'a key of some thirty characters', { mode: 0o600 });

const node = await FixtureNode.start({
  chain: 'main',
  firstHeight: FIRST,
  blocks: rawMain,
  treesBefore: TREES_BEFORE,
});
const compact = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
const web = http.createServer((_request, response) => response.end('{}'));
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
const webPort = (web.address() as AddressInfo).port;
const compactHost = new URL(compact.url).hostname;
const to = (host: string): string => (host === 'compact.invalid' ? compactHost : '127.0.0.1');
const proxy = await SocksProxy.start(t, { to });
const service = await startService(t, {
  config: {
    network: 'main',
    proxy: proxy.url,
    node_url: `http://node.invalid:${new URL(node.url).port}`,
    compact_server_url: `http://compact.invalid:${new URL(compact.url).port}`,
    peers: ['peer.onion'],
    price_source: { url: `http://price.onion:${webPort}/` },
    disk_low_bytes: 2 ** 50,
    on_event: [{ name: 'disk', events: ['disk.low'], url: `http://hook.onion:${webPort}/`, secret_file }],
  },
});
const hosts = (): string[] => [...new Set(proxy.asked.map(({ host }) => host))];
const wanted = ['node.invalid', 'compact.invalid', 'peer.onion', 'price.onion', 'hook.onion'];
const status = await service.get<Record<string, { state: string }>>('/api/status');
await until(() => wanted.every((host) => hosts().includes(host)));
const packets = sent();
// The counter counts: a name that is looked up here, and not by the proxy, does leave.
lookup('control.example', () => undefined);
await until(() => sent() > packets);
const answer = {
  hosts: hosts(),
  logins: new Set(proxy.asked.map(({ login }) => login)).size,
  packets,
  states: [status.body['node']?.state, status.body['compact_server']?.state],
};
await service.stop();
for (const end of ends) await end();
process.stdout.write(JSON.stringify(answer), () => process.exit());
