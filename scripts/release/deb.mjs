// Debian's package: the program with the packages that npm would install beside it, the units of packaging/systemd and what makes their
// users and folders. Node comes from Debian's own package, which the distribution keeps fixed; a Node in here would be fixed only by us.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { licencesOf } from '../licences.mjs';
import { ar, gzip, tar } from './archive.mjs';
import { modulesFor, packedFiles } from './packed.mjs';

/** Debian's words for npm's. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
/** Not below node_modules: an `npm install -g` would overwrite it there, and the other way round. */
const PROGRAM = 'usr/lib/wallet-companion';
const SYSTEMD = 'packaging/systemd';
const UNITS = ['wallet-companion-signer.service', 'wallet-companion.service'];
/** What the native modules link to: `objdump -p`, `objdump -T`. */
const DEPENDS = [
  'nodejs (>= 20.19)',
  'libc6 (>= 2.29)',
  'libgcc-s1',
  'libstdc++6',
  'systemd | systemd-standalone-sysusers | systemd-sysusers',
  'systemd | systemd-standalone-tmpfiles | systemd-tmpfiles',
];

const file = (bytes, runs = false) => ({ kind: 'file', bytes: Buffer.from(bytes), runs });
const { name, version, description } = JSON.parse(readFileSync('package.json', 'utf8'));
/** A `-` begins Debian's own number, and `~` is before everything: a version before another stays so. */
const debianVersion = version.replaceAll('-', '~');

/** The machine's word in the name, or undefined where Debian has none or the installed native modules are of another system. */
export function debName(machine) {
  const architecture = machine.os === 'linux' && machine.libc === 'glibc' && ARCHITECTURES[machine.cpu];
  return architecture ? `${name}_${debianVersion}_${architecture}.deb` : undefined;
}

const copyright = (folders) =>
  [
    'The companion, under either licence:',
    readFileSync('LICENSE-MIT', 'utf8'),
    readFileSync('LICENSE-APACHE', 'utf8'),
    `What its program has in itself is in /${PROGRAM}/dist/program/LICENSES.txt. What it comes with:`,
    licencesOf(folders),
  ].join('\n\n');

function contents(machine) {
  const { folders, files } = modulesFor(machine);
  const read = (inProgram) => file(readFileSync(inProgram));
  return new Map([
    ...[...packedFiles('.')].map(([inPackage, entry]) => [`${PROGRAM}/${inPackage}`, entry]),
    ...files.map((inProgram) => [`${PROGRAM}/${inProgram}`, read(inProgram)]),
    ['usr/bin/wallet-companion', { kind: 'link', target: '../lib/wallet-companion/dist/program/main.js' }],
    ...UNITS.map((unit) => [`usr/lib/systemd/system/${unit}`, read(`${SYSTEMD}/${unit}`)]),
    ...['sysusers', 'tmpfiles'].map((kind) => [
      `usr/lib/${kind}.d/wallet-companion.conf`,
      read(`${SYSTEMD}/${kind}.conf`),
    ]),
    ['usr/share/doc/wallet-companion/copyright', file(copyright(folders))],
  ]);
}

/** Nothing is enabled or started: there is neither a wallet nor a password yet. */
const SCRIPTS = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
systemd-sysusers wallet-companion.conf
systemd-tmpfiles --create wallet-companion.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # After an upgrade, what runs goes on as the new version.
  [ -z "$2" ] || systemctl try-restart ${UNITS.join(' ')} || true
fi
`,
  prerm: `#!/bin/sh
set -e
[ "$1" = remove ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now ${UNITS.join(' ')} || true
`,
  // Wallets and users stay, after a purge too: no package manager may remove money.
  postrm: `#!/bin/sh
set -e
[ -d /run/systemd/system ] && systemctl daemon-reload || true
`,
};

function control(architecture, files) {
  const bytes = [...files.values()].map((entry) => (entry.kind === 'file' ? entry.bytes.length : 0));
  const kibibytes = bytes.reduce((sum, length) => sum + Math.ceil(length / 1024), 0);
  return `Package: ${name}
Version: ${debianVersion}
Architecture: ${architecture}
Maintainer: The contributors of ${name}
Installed-Size: ${kibibytes}
Depends: ${DEPENDS.join(', ')}
Section: net
Priority: optional
Description: ${description.split(':')[0]}
 Keeps the keys of wallets in encrypted files, scans the chain for their notes,
 and serves other programs over HTTP on the loopback interface.
`;
}

/** With the folders above them, as dpkg expects: each name begins with `./`. */
function asData(files) {
  const data = new Map([['.', { kind: 'folder' }]]);
  for (const [inSystem, entry] of files) {
    const parts = inSystem.split('/');
    for (let depth = 1; depth < parts.length; depth++)
      data.set(`./${parts.slice(0, depth).join('/')}`, { kind: 'folder' });
    data.set(`./${inSystem}`, entry);
  }
  return data;
}

const md5sums = (files) =>
  [...files]
    .filter(([, { kind }]) => kind === 'file')
    .map(([inSystem, { bytes }]) => `${createHash('md5').update(bytes).digest('hex')}  ${inSystem}\n`)
    .sort()
    .join('');

export function deb(machine, time) {
  const files = contents(machine);
  const about = new Map([
    ['./control', file(control(ARCHITECTURES[machine.cpu], files))],
    ['./md5sums', file(md5sums(files))],
    ...Object.entries(SCRIPTS).map(([script, text]) => [`./${script}`, file(text, true)]),
  ]);
  return ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', gzip(tar(about, time))],
      ['data.tar.gz', gzip(tar(asData(files), time))],
    ],
    time,
  );
}
