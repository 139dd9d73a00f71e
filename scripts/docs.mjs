// Writes what the documentation takes from the operation table. `npm run docs` builds first; a test fails while the
// committed files differ.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
const protocol = pathToFileURL(path.resolve(out, 'src/protocol'));
const { openApiDocument } = await import(`${protocol}/openapi.js`);
const { apiReference } = await import(`${protocol}/apiReference.js`);

writeFileSync('docs/openapi.json', `${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
writeFileSync('docs/api.md', apiReference());
