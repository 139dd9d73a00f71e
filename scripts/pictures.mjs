// `npm run pictures`: the dashboard's tests draw each view that they look at, light, dark and on a phone, into
// docs/pictures, with a page that shows them side by side.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildTests, closingLine, runAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

const FOLDER = 'docs/pictures/views';
const LOOKS = ['light-1200', 'dark-1200', 'light-360'];

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
process.env.WALLET_COMPANION_PICTURES = path.resolve(FOLDER);
buildTests();
const result = await runAva(testFiles(['test/dashboard']));

const views = [
  ...new Set(readdirSync(FOLDER).map((file) => file.replace(/-(?:light|dark)-\d+\.webp$/, ''))),
].sort();
const row = (view) =>
  `|${view.replaceAll('-', ' ')}|${LOOKS.map((look) => `![${view}](${view}-${look}.webp)`).join('|')}|`;
writeFileSync(
  `${FOLDER}/README.md`,
  `# Pictures of the dashboard

Each view that the dashboard's tests look at, as \`npm run pictures\` draws it.

| view | light | dark | phone |
|---|---|---|---|
${views.map(row).join('\n')}
`,
);
console.log(closingLine(result));
process.exit(result.status);
