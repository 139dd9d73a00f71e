// The dashboard and the alerts against what a running companion answers: a name that /metrics does not have shows nothing
// and never fires.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { startService } from '../helpers/service.ts';
import { parsedYaml } from './support/yaml.ts';

const ALERTS = 'packaging/monitoring/alerts.yml';
const DASHBOARD = 'packaging/monitoring/grafana-dashboard.json';
/** Made by Prometheus itself, for each job. */
const PROMETHEUS_OWN = 'up';
const KEYWORDS = ['and', 'or'];

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const { groups } = parsedYaml<Rules>(ALERTS);
const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
const expressions = [
  ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...[...readFileSync(DASHBOARD, 'utf8').matchAll(/label_values\(([^,)]*)/g)].map(
    ([, series = '']) => series,
  ),
];

/** Names of metrics, and each with a label that must have one value: `ready{mode="alive"`. */
function wanted(expression: string): string[] {
  const names = expression
    .replaceAll(/\{[^}]*\}|\[\w+\]|"[^"]*"|(\w+ by|\bon) \([^)]*\)/g, '')
    .matchAll(/\b[a-z_]\w*(?!\w| ?\()/g);
  const labelled = [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name, labels = '']) =>
    [...labels.matchAll(/\w+="[^"]*"/g)].map(([label]) => `${name}{${label}`),
  );
  return [...[...names].map(([name]) => name).filter((name) => !KEYWORDS.includes(name)), ...labelled];
}

test('every metric of the dashboard and of the alerts is in the answer of a companion', async (t) => {
  const seed = readKnownSeed('main');
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const hook = { name: 'shop', events: ['wallet.locked'], command: ['/bin/true'] };
  const service = await startService(t, {
    config: { network: 'main', node_url: node.url, on_event: [hook] },
  });
  const { firstHeight: birthday_height, mnemonic } = seed;
  await service.post('/api/wallet/restore', { mnemonic, password: 'correct horse', birthday_height });
  t.is((await service.get('/readyz?mode=connected')).status, 200);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const answered = new Set([...text.matchAll(/^\w+/gm)].map(([name]) => name));
  t.true(expressions.length >= 8 + 15);
  for (const expression of expressions) {
    const series = wanted(expression).filter((name) => name.split('{')[0] !== PROMETHEUS_OWN);
    for (const name of series)
      t.true(
        name.includes('{') ? text.includes(`\n${name}`) : answered.has(name),
        `${name} of ${expression}`,
      );
  }
});

test('panels of the dashboard are distinguished', (t) => {
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length);
});

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
const whereInstalled = promtool('--version').status === 0 ? test : test.skip;

for (const args of [
  ['check', 'rules', ALERTS],
  ['check', 'config', '--syntax-only', 'packaging/compose/prometheus.yml'],
  ['test', 'rules', 'test/packaging/alerts.test.yml'],
])
  whereInstalled(`promtool ${args.join(' ')}`, (t) => {
    const { status, stdout, stderr } = promtool(...args);
    t.is(status, 0, stdout + stderr);
  });
