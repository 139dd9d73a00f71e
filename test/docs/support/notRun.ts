// The commands on the pages that no test runs as they stand, each with its reason.

export interface NotRun {
  readonly command: RegExp;
  readonly reason: string;
  /** Whether it holds on this machine; without it on every one. */
  readonly here?: boolean;
}

const NODE = Number(process.versions.node.split('.')[0]);

export const NOT_RUN: readonly NotRun[] = [
  {
    command: /^wallet-companion signer /,
    reason: 'asks for passwords at a terminal; test/allowance/process.full.test.ts runs them with files',
  },
  {
    command:
      /^cp sysusers|^cp tmpfiles|^cd \/var\/lib|^apt install|> \/etc\/|^cp -a |^install -d|^runuser |^systemctl /,
    reason: 'needs root and systemd: test/packaging reads the units and installs the package',
  },
  {
    command: /^ssh-keygen -Y verify/,
    reason: 'needs a release: test/packaging/release.full.test.ts makes and checks one',
  },
  { command: /^node --permission/, reason: 'Node has the permission model from 24 on', here: NODE < 24 },
  {
    command: /^npm (?:test|pack|start|run (?!bench))/,
    reason: 'builds, packs or tests the tree that this test is part of',
  },
  { command: /^npm (?:ci|publish|audit)\b/, reason: 'needs a registry, and publishes' },
  { command: /^npm run bench/, reason: 'measures for minutes' },
  { command: /^npm install -g/, reason: 'needs a registry; test/package.full.test.ts has what is installed' },
  {
    command: /^podman |^docker /,
    reason: 'needs a container engine; test/packaging reads the files that it takes',
  },
  { command: /^make -C src\/ffi/, reason: 'test/ffi builds the library and calls it' },
  { command: / nc -U /, reason: 'nc is not everywhere; test/ipc sends the same line' },
  {
    command: /^try=|\$try\b|^curl /,
    reason:
      'of docs/devnet.md, whose chain is at the usual ports of a node: test/devnet/docs.test.ts has the second block, npm run demo the first',
  },
  { command: /^wallet-companion setup$/, reason: 'asks at a terminal: test/cli/setup.full.test.ts answers' },
  {
    command: /^loginctl |service status$/,
    reason: 'needs a systemd of the user: test/service/systemdUnit.test.ts',
  },
  { command: /scan-worker/, reason: 'needs Redis: test/fleet' },
  {
    command: /--scan accounts\.txt|--seed-fingerprint/,
    reason: 'needs what a device shows: test/cli/scannedAccount.test.ts',
  },
  {
    command: /combine-batch/,
    reason: 'needs the answer of a device to several payments: test/cli/pay.full.test.ts',
  },
  { command: /^#!\/bin\/sh/, reason: 'test/service/programs/signerExample.full.test.ts runs it' },
  { command: /^cd packages\/prover|^cargo |halo2work/, reason: 'compiles for minutes, or works for them' },
  { command: /^cp -r /, reason: 'test/browser/extensions.full.test.ts loads what it makes' },
];
