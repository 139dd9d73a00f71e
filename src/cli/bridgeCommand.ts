// `bridge btcpay`: answers a shop's software in its own words, over the companion that runs.

import type { Command } from 'commander';
import type { BridgeOptions } from './cliEnvironment.ts';
import { badFlag, wholeNumber } from './flags.ts';

const DEFAULT_PORT = 3001;
const MAX_PORT = 65_535;

type Texts = Readonly<Record<string, string | undefined>>;

export function addBridge(
  group: Command,
  run: (options: BridgeOptions) => Promise<void>,
  where: () => Pick<BridgeOptions, 'url' | 'wallet' | 'local'>,
): void {
  group
    .command('btcpay')
    .description("Answer BTCPay Server's Zcash plugin from the companion that runs (docs/btcpay.md)")
    .option('--port <number>', 'port on 127.0.0.1; 0 picks a free one', String(DEFAULT_PORT))
    .option('--callback <url>', "BTCPay's address, to tell it of payments and blocks")
    .option('--token-file <file>', 'where the token is kept (default: btcpay.token beside config.json)')
    .action(({ port, callback, tokenFile }: Texts) =>
      run({
        ...where(),
        port: wholeNumber('port', port, 0, MAX_PORT),
        callback: callback === undefined ? undefined : callbackOf(callback),
        tokenFile,
      }),
    );
}

function callbackOf(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.search + url.hash + url.username + url.password === '';
  if (isPlain) return url.href;
  throw badFlag('callback', 'must be an http or https URL without a query and without a password');
}
