// Prints two known blocks of an own node for packages/chain/src/chain/headers/checkpoints.ts, and with FILE adds the trees of the
// upper one to the frontiers there (packages/chain/data): `node scripts/checkpoints.mjs http://127.0.0.1:8232 COOKIE_FILE [FILE]`.
// The upper block lies deeper than nodes reorganise. COOKIE_FILE: `-` for none.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

const DEPTH = 1_100;
const STRETCH = 400;

const [url = 'http://127.0.0.1:8232', cookieFile = '-', file] = process.argv.slice(2);
const headers = { 'content-type': 'application/json' };
if (cookieFile !== '-')
  headers.authorization = `Basic ${Buffer.from(readFileSync(cookieFile, 'utf8').trim()).toString('base64')}`;

async function call(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const known = async (height) => ({ height, hash: await call('getblockhash', height) });
const grouped = (height) => String(height).replace(/\B(?=(?:\d{3})+$)/g, '_');
const row = (name, { height, hash }) => `    ${name}: known(${grouped(height)}, '${hash}'),`;

const { chain, blocks } = await call('getblockchaininfo');
const height = blocks - DEPTH;
if (height < STRETCH) throw new Error(`the node's chain is too short: ${blocks} blocks`);
const [below, at] = [await known(height - STRETCH), await known(height)];
const name = await call('getinfo').then(
  ({ subversion }) => subversion,
  () => 'unknown version',
);
const date = new Date().toISOString().slice(0, 10);
console.log(`// ${date}, ${name}`);
console.log(`  ${chain}: {`);
console.log(row('below', below));
console.log(row('at', at));
console.log('  },');
if (file !== undefined) await addFrontier();

async function addFrontier() {
  const answer = await call('z_gettreestate', String(height));
  if (answer.hash !== at.hash) throw new Error('the chain moved: try again');
  const trees = ['sapling', 'orchard', 'ironwood'].map((pool) => [
    pool,
    answer[pool]?.commitments?.finalState ?? '',
  ]);
  const empty = { network: chain, sources: [], frontiers: [] };
  const known = existsSync(file) ? JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) : empty;
  if (known.network !== chain) throw new Error(`the file is of ${known.network}, the node of ${chain}`);
  if ((known.frontiers.at(-1)?.height ?? -1) >= height)
    throw new Error(`the file has block ${height} already`);
  known.sources.push({ name: `a node, ${name}`, date, first: height, last: height });
  known.frontiers.push({ ...at, below, ...Object.fromEntries(trees) });
  writeFileSync(file, gzipSync(`${JSON.stringify(known)}\n`, { level: 9 }));
}
