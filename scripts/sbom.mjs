// Writes the release's bill of materials (CycloneDX) into this folder, or into the one that is named: npm's own of the lock file,
// without what only builds and tests need. npm alone cannot make it, because to npm a package that was bundled into the program
// is one of development.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releaseTime } from './release/archive.mjs';

const { name, version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

const { stdout, stderr, status } = spawnSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
  { encoding: 'utf8', maxBuffer: 1 << 26, shell: process.platform === 'win32' },
);
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
const whole = JSON.parse(stdout);
const nameOf = (ref) => ref.replace(/@[^@]+$/, '');

/** The bundles say at the head of each licence what they contain. */
const LICENCES = [
  'dist/program/LICENSES.txt',
  'dist/ipc/LICENSES.txt',
  'packages/dashboard/dist/page/LICENSES.txt',
];
const HEAD = /^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(/gm;
const bundled = LICENCES.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(HEAD)].map(
    ([, packageName, itsVersion]) => `${packageName}@${itsVersion}`,
  ),
);

/** What npm installs beside the program, on any platform. */
const needs = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const installed = new Set();
function install(ref) {
  if (installed.has(ref)) return;
  installed.add(ref);
  needs.get(ref)?.forEach(install);
}
needs
  .get(`${name}@${version}`)
  .filter((ref) => dependencies[nameOf(ref)] !== undefined)
  .forEach(install);

const known = new Set(whole.components.map((component) => component['bom-ref']));
const shipped = new Set([...bundled, ...installed]);
const missing = [...shipped].filter((ref) => !known.has(ref));
if (missing.length > 0) throw new Error(`The lock file does not have ${missing.join(', ')}.`);

const ofDevelopment = ({ name: property }) => property === 'cdx:npm:package:development';
const bill = {
  ...whole,
  metadata: {
    ...whole.metadata,
    // npm writes the time of the call.
    timestamp: new Date(releaseTime() * 1000).toISOString(),
    // npm writes the name of the folder.
    component: { ...whole.metadata.component, name },
  },
  components: whole.components
    .filter((component) => shipped.has(component['bom-ref']))
    .map((component) => ({
      ...component,
      properties: component.properties.filter((property) => !ofDevelopment(property)),
    })),
  dependencies: [
    { ref: `${name}@${version}`, dependsOn: [...shipped].sort() },
    ...whole.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) })),
  ],
};
// npm draws the number; of the content, it is the same for the same release.
const { serialNumber: _, ...content } = bill;
const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
bill.serialNumber = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`;
const file = path.join(process.argv[2] ?? '.', `${name}-${version}.cdx.json`);
writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`);
console.log(`${file}: ${bill.components.length} packages`);
