// The stack of packaging/compose against the program, the image and the files that it names: nothing here runs containers.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { httpOnlyPaths, READY_MODES } from '../../src/protocol/httpOnly.ts';
import { PROGRAM } from '../helpers/program.ts';
import { parsedYaml } from './support/yaml.ts';

const FOLDER = 'packaging/compose';

interface Service {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: Readonly<Record<string, string>>;
  };
  readonly network_mode: string;
  readonly ports?: unknown;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<'zebrad' | 'companion' | 'prometheus' | 'grafana', Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

interface Scrapes {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly metrics_path: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
const { services, volumes } = parsedYaml<Compose>(`${FOLDER}/compose.yml`);
const { zebrad, companion, prometheus, grafana } = services;
const { scrape_configs } = parsedYaml<Scrapes>(`${FOLDER}/prometheus.yml`);
const flags = new Map(
  (companion.command ?? []).slice(1).map((word): [string, string | undefined] => {
    const [flag = '', value] = word.split(/=(.*)/);
    return [flag, value];
  }),
);

test('the companion is started with a command and flags that it has', (t) => {
  t.is(companion.command?.[0], 'serve');
  const { stdout, status } = spawnSync(process.execPath, [PROGRAM, 'serve', '--help'], { encoding: 'utf8' });
  t.is(status, 0);
  for (const [flag, value] of flags)
    t.regex(stdout, new RegExp(`^ +${flag} +${value === undefined ? '[^<\\s]' : '<'}`, 'm'), flag);
});

test('each asks the other where it listens', (t) => {
  const url = `127.0.0.1:${flags.get('--port')}`;
  const [scrape] = scrape_configs;
  t.deepEqual(scrape?.static_configs, [{ targets: [url] }]);
  t.true(httpOnlyPaths.some((known) => known === scrape?.metrics_path));
  t.true(readFileSync('packaging/monitoring/alerts.yml', 'utf8').includes(`up{job="${scrape?.job_name}"}`));
  const asked = new URL(/http:[^']*/.exec(companion.healthcheck?.test.at(-1) ?? '')?.[0] ?? '');
  t.is(asked.host, url);
  t.is(asked.pathname, '/readyz' satisfies (typeof httpOnlyPaths)[number]);
  t.true(READY_MODES.some((mode) => mode === asked.searchParams.get('mode')));
  t.is(flags.get('--node-url'), `http://${zebrad.environment?.['ZEBRA_RPC__LISTEN_ADDR']}`);
  t.true(prometheus.command?.includes(`--web.listen-address=${prometheusAddress()}`));
  t.is(grafana.environment?.['GF_SERVER_HTTP_ADDR'], '127.0.0.1');
  const ports = [...read('compose.yml').matchAll(/(?:127\.0\.0\.1:|_PORT: "|--port=)(\d+)/g)].map(
    ([, port]) => port,
  );
  t.deepEqual([...new Set(ports)].sort(), ['3000', '3001', '8232', '8233', '9090']);
});

/** Where Grafana looks for it. */
const prometheusAddress = (): string => {
  const { datasources } = parsedYaml<{ datasources: { url: string }[] }>(`${FOLDER}/grafana-datasource.yml`);
  return new URL(datasources[0]?.url ?? '').host;
};

test('nothing is reached from other machines, and nothing here is secret', (t) => {
  for (const [name, { network_mode, ports, environment = {} }] of Object.entries(services)) {
    t.is(network_mode, 'host', name);
    t.is(ports, undefined, name);
    for (const key of Object.keys(environment)) t.notRegex(key, /password|secret|token|key/i);
  }
  for (const file of ['compose.yml', 'prometheus.yml', 'grafana-datasource.yml'])
    t.deepEqual(
      [...read(file).matchAll(/\d+\.\d+\.\d+\.\d+(?=[:/"\s])|\[::\]/g)].filter(
        ([address]) => address !== '127.0.0.1',
      ),
      [],
    );
});

test('images have a version, the companion’s that of the package', (t) => {
  for (const { image } of Object.values(services)) t.regex(image, /:v?\d+\.\d+\.\d+$/);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.is(companion.image, `wallet-companion:${version}`);
});

test('what is mounted exists, and the companion can write where it must and read the cookie', (t) => {
  for (const mount of Object.values(services).flatMap((service) => service.volumes)) {
    const [from = ''] = mount.split(':');
    t.true(from.startsWith('.') ? existsSync(path.join(FOLDER, from)) : from in volumes, mount);
  }
  const { context = '', dockerfile = '', args } = companion.build ?? {};
  const recipe = readFileSync(path.join(FOLDER, context, dockerfile), 'utf8');
  const [, config, data] = /CONFIG_DIR=(\S+) .*DATA_DIR=(\S+)/.exec(recipe) ?? [];
  t.true(companion.volumes.includes(`config:${config}`));
  t.true(companion.volumes.includes(`data:${data}`));
  for (const argument of Object.keys(args ?? {})) t.regex(recipe, new RegExp(`^ARG ${argument}=`, 'm'));
  t.is(zebrad.user, `${args?.['USER_ID']}:${args?.['USER_ID']}`);
  const cookies = zebrad.environment?.['ZEBRA_RPC__COOKIE_DIR'];
  t.true(zebrad.volumes.includes(`chain:${cookies}`));
  const seen = path.dirname(flags.get('--node-cookie-file') ?? '');
  t.true(companion.volumes.includes(`chain:${seen}:ro`));
});
