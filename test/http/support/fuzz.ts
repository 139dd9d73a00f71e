// Runs schemathesis over the OpenAPI document against the real companion on an embedded chain; exits with its code.
// Meant for a network namespace with nothing but loopback: generated URLs must not lead anywhere
// (schemathesis.full.test.ts).
import { spawn } from 'node:child_process';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import type { Teardown } from '../../helpers/childProcess.ts';
import { startService } from '../../helpers/service.ts';

const [schemathesis = 'schemathesis', phases = 'examples,coverage,fuzzing'] = process.argv.slice(2);
const PASSWORD = 'fuzzed';

const untilExit: Teardown = { teardown: (end) => process.once('exit', end) };
const devnet = new Devnet({ seed: 'fuzz' });
const service = await startService(untilExit, {
  config: {
    network: 'regtest',
    node_url: await devnet.node.listen(),
    compact_server_url: await devnet.compact.listen(),
  },
});
const { body } = await service.post<{ unified_address: string }>('/api/wallet/create', {
  password: PASSWORD,
  birthday_height: 1,
});
for (const pool of ['sapling', 'ironwood'] as const) {
  devnet.payTo(body.unified_address, { pool, zatoshi: 1000n, memo: 'fuzz' });
}
await service.post('/api/sync', {});

// Form of URLs and order of heights are beyond JSON Schema, so valid-looking input may be refused: that check is left
// out. The event stream never ends. The limit of requests a second is met, not raised: 429 is documented, but dull.
// Not spawnSync: the chain is served from this process.
const child = spawn(
  schemathesis,
  [
    `--config-file=${path.resolve('test/http/support/schemathesis.toml')}`,
    'run',
    `${service.url}/api/openapi.json`,
    '--checks=no_internal_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance',
    '--exclude-path=/api/events',
    `--phases=${phases}`,
    '--max-examples=12',
    '--seed=1',
    '--rate-limit=90/s',
    '--request-timeout=1800',
    '--suppress-health-check=all',
    '--no-color',
    '--generation-database=none',
  ],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Its notes of the run go with the service's folder.
    cwd: service.folder,
    env: {
      ...process.env,
      PYTHONPATH: path.resolve('test/http/support'),
      SCHEMATHESIS_HOOKS: 'companion_checks',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  },
);
const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
await service.stop();
service.remove();
await devnet.close();
process.exit(status ?? 1);
