// `npm run test:unit`: the tests that only compute, without sockets, threads and databases.
import { buildAndRunAva } from './runAva.mjs';

await buildAndRunAva(['--config', 'ava.unit.config.mjs', ...process.argv.slice(2)]);
