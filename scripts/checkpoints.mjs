// Prints two known blocks of an own node for packages/chain/src/chain/headers/checkpoints.ts: `node scripts/checkpoints.mjs
// http://127.0.0.1:8232 [COOKIE_FILE]`. The upper one lies deeper than nodes reorganise.
import { readFileSync } from 'node:fs';

const DEPTH = 1_100;
const STRETCH = 400;

const [url = 'http://127.0.0.1:8232', cookieFile] = process.argv.slice(2);
const headers = { 'content-type': 'application/json' };
if (cookieFile !== undefined)
  headers.authorization = `Basic ${Buffer.from(readFileSync(cookieFile, 'utf8').trim()).toString('base64')}`;

async function call(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const grouped = (height) => String(height).replace(/\B(?=(?:\d{3})+$)/g, '_');
const row = async (name, height) =>
  `    ${name}: known(${grouped(height)}, '${await call('getblockhash', height)}'),`;

const { chain, blocks } = await call('getblockchaininfo');
const at = blocks - DEPTH;
if (at < STRETCH) throw new Error(`the node's chain is too short: ${blocks} blocks`);
console.log(
  `// ${new Date().toISOString().slice(0, 10)}, ${await call('getinfo').then(
    ({ subversion }) => subversion,
    () => 'unknown version',
  )}`,
);
console.log(`  ${chain}: {`);
console.log(await row('below', at - STRETCH));
console.log(await row('at', at));
console.log('  },');
