// Writes what other languages get from the operation table: the C surface, the TypeScript client's routes, the
// commands and plain types. Needs a build. With WALLET_COMPANION_OUT the build of that folder is used.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
const load = (path) => import(pathToFileURL(`${out}/src/${path}`).href);
const { bindingFiles } = await load('ffi/bindings.js');
const { ROUTES_FILE, routesSource } = await load('client/routeTable.js');
const { COMMANDS_FILE, commandsSource } = await load('protocol/commandTable.js');
const { PLAIN_TYPES_FILE, plainTypesSource } = await load('protocol/plainTypes.js');

const files = [
  ...bindingFiles(),
  [ROUTES_FILE, routesSource()],
  [COMMANDS_FILE, commandsSource()],
  [PLAIN_TYPES_FILE, plainTypesSource()],
];
for (const [path, text] of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
