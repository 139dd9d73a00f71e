// The systemd user unit. docs/operations/service.md says what was tested.

import { createHash } from 'node:crypto';
import { requireQuotable, type ServiceOptions, serveWords } from './serviceOptions.ts';

export const UNIT_NAME = 'wallet-companion.service';

/** These need a mount or user namespace. In a user's own manager they work only together with `PrivateUsers`. */
const NAMESPACES = [
  'PrivateUsers=yes',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectProc=invisible',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'CapabilityBoundingSet=',
] as const;

/**
 * These need no namespace. Left out: `MemoryDenyWriteExecute` (V8 and WebAssembly compile at run time),
 * `PrivateNetwork` and `IPAddressDeny` (node and compact server may be anywhere).
 */
const RULES = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
  'KeyringMode=private',
  'RemoveIPC=yes',
  'UMask=0077',
  // A core file would contain the keys.
  'LimitCORE=0',
] as const;

export function systemdUnit(options: ServiceOptions): string {
  const { node, main, configDir, dataDir, withoutNamespaces = false } = options;
  const credentials = credentialsOf(options);
  const words = [node, main, ...serveWords(options)];
  requireQuotable([...words, ...credentials.map(({ file }) => file)]);
  const lines = [
    '[Unit]',
    'Description=Wallet companion',
    'StartLimitIntervalSec=10min',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=notify',
    // Node has no datagram sockets of the Unix family: a child process sends the notification.
    'NotifyAccess=all',
    // The colon disables all expansion except of percent signs.
    `ExecStart=:${words.map(quoted).join(' ')}${credentials.map(({ flag }) => ` ${flag}`).join('')}`,
    'ExecReload=kill -HUP $MAINPID',
    'Restart=on-failure',
    'RestartSec=5s',
    // Bad input and a wrong password fail again at each restart.
    'RestartPreventExitStatus=2 3',
    'WatchdogSec=5min',
    'TimeoutStartSec=10min',
    'TimeoutStopSec=30s',
    ...credentials.map(({ id, file }) => `LoadCredential=${id}:${percent(file)}`),
    '',
    ...RULES,
    ...(withoutNamespaces ? [] : [...NAMESPACES, `ReadWritePaths=${quoted(configDir)} ${quoted(dataDir)}`]),
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ];
  const body = lines.join('\n');
  return `${MARK}${checksum(body)}\n${body}`;
}

/** systemd copies each password file into the credentials directory, `%d`. */
function credentialsOf({ passwordFile, walletPasswordFiles = new Map() }: ServiceOptions) {
  const own = { id: 'password', file: passwordFile ?? '', flag: '--password-file "%d/password"' };
  const others = [...walletPasswordFiles].map(([name, file]) => ({
    id: `password-${name}`,
    file,
    flag: `--wallet-password-file "${name}=%d/password-${name}"`,
  }));
  return [...(passwordFile === undefined ? [] : [own]), ...others];
}

const percent = (text: string): string => text.replaceAll('%', '%%');
const quoted = (text: string): string => `"${percent(text)}"`;

/** The files that the unit starts: node and the program. */
export const programsOf = (unit: string): readonly string[] =>
  [...(/^ExecStart=:"([^"]+)" "([^"]+)"/m.exec(unit) ?? [])]
    .slice(1)
    .map((word) => word.replaceAll('%%', '%'));

const MARK = '# Written by "wallet-companion service install"; put changes into a drop-in. ';
const checksum = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 16);

/** Whether this program wrote the text and no one has edited it since. */
export function isOwnUnit(text: string): boolean {
  const [first = '', ...rest] = text.split('\n');
  return first === MARK + checksum(rest.join('\n'));
}
