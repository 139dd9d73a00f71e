// The options of a service: absolute paths, and the words of its command line.

import path from 'node:path';
import { CompanionError } from '../protocol/errors.ts';

export interface ServiceOptions {
  /** Absolute path of node. */
  readonly node: string;
  readonly main: string;
  readonly configDir: string;
  readonly dataDir: string;
  /** Read at each start; only its owner can read it. */
  readonly passwordFile?: string;
  /** The same for the wallets besides the default one, by name. */
  readonly walletPasswordFiles?: ReadonlyMap<string, string>;
  /** Further arguments of `serve`. */
  readonly args: readonly string[];
  /** Leave out settings that need a separate namespace, which some kernels refuse to users. */
  readonly withoutNamespaces?: boolean;
}

/** Some places of a unit cannot contain these, however they are quoted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would begin another line of the unit
const UNQUOTABLE = /[\u0000-\u001f\u007f"\\]|^\s|\s$/;

export function requireQuotable(texts: readonly string[]): void {
  if (!texts.some((text) => UNQUOTABLE.test(text))) return;
  throw new CompanionError(
    'INVALID_REQUEST',
    'A path or address for the service has a quote, a backslash, a control character, or white space at an end. Choose another one.',
  );
}

export const serveWords = ({ configDir, dataDir, args }: ServiceOptions): readonly string[] => [
  'serve',
  '--config-dir',
  configDir,
  '--data-dir',
  dataDir,
  ...args,
];

/** The command-line options as arguments of `serve`. */
export function wordsOf(options: {
  readonly port: number;
  readonly host?: string;
  readonly network?: string;
  readonly nodeUrl?: string;
  readonly compactServerUrl?: string;
  readonly nodeCookieFile?: string;
  readonly follow: boolean;
  readonly keepOpen?: true;
  readonly noHttp?: true;
  readonly noLogFile?: true;
}): readonly string[] {
  const { host, network, nodeUrl, compactServerUrl, nodeCookieFile } = options;
  const given = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    '--port',
    String(options.port),
    ...given('--host', host),
    ...given('--network', network),
    ...given('--node-url', nodeUrl),
    ...given('--compact-server-url', compactServerUrl),
    ...given('--node-cookie-file', nodeCookieFile === undefined ? undefined : path.resolve(nodeCookieFile)),
    ...(options.follow ? ['--follow'] : []),
    ...(options.keepOpen === true ? ['--keep-open'] : []),
    ...(options.noHttp === true ? ['--no-http'] : []),
    ...(options.noLogFile === true ? ['--no-log-file'] : []),
  ];
}
