// Commands that are no operations: a companion's events and log, and the embedded chain for trials.

import type { Command } from 'commander';
import { CompanionError } from '../protocol/errors.ts';
import type { DevnetOptions, LocalOptions } from './cliEnvironment.ts';
import type { DashboardCall } from './dashboardCommand.ts';
import { wholeNumber } from './flags.ts';
import type { LogOptions } from './logReader.ts';

export interface WatchCall {
  readonly json: boolean;
  readonly url: string | undefined;
  readonly wallet: string | undefined;
  readonly local: LocalOptions;
}

export interface LiveActions {
  watch(call: WatchCall): Promise<void>;
  log(call: LogOptions): Promise<void>;
  dashboard(call: DashboardCall): Promise<void>;
  demo(once: boolean): Promise<void>;
  devnet(options: DevnetOptions): Promise<void>;
}

const MOST_LINES = 1_000_000;
const MAX_PORT = 65_535;
const MAX_HEIGHT = 1_000_000;

type CommandOptions = Readonly<Record<string, string | boolean | undefined>>;

/** `where`: the options of the root command. */
export function addLiveCommands(root: Command, actions: LiveActions, where: () => WatchCall): void {
  root
    .command('watch')
    .description('Print what the companion reports as it happens, until Ctrl-C')
    .action(() => actions.watch(where()));
  root
    .command('log')
    .description('Print what the companion in this data directory wrote to its log')
    .option('-n, --lines <number>', 'how many of the last lines', '40')
    .option('-f, --follow', 'go on with new lines as they come, until Ctrl-C')
    .action((options: CommandOptions) => {
      const { url, json, local } = where();
      if (url !== undefined) {
        throw new CompanionError('INVALID_REQUEST', 'log reads files on this machine; leave --url out.');
      }
      const lines = wholeNumber('lines', options['lines'], 0, MOST_LINES);
      return actions.log({ lines, json, local, follow: options['follow'] === true });
    });
  root
    .command('dashboard')
    .description('Print a link that opens the page of the running companion, once and within a minute')
    .action(() => {
      const { json, url, local } = where();
      return actions.dashboard({ json, url, local });
    });
  root
    .command('demo')
    .description('Tell the story of a wallet on an embedded chain: payments, spends, a reorganisation')
    .option('--once', 'end with the story, instead of staying up to be played with')
    .action((options: CommandOptions) => actions.demo(options['once'] === true));
  addDevnet(root, actions);
}

function addDevnet(root: Command, actions: LiveActions): void {
  root
    .command('devnet')
    .description('Run an embedded regtest chain that obeys commands typed line by line, or calls over HTTP')
    .option('--http <number>', 'take calls over HTTP on this port')
    .option('--node-port <number>', 'port of its node', '18232')
    .option('--compact-port <number>', 'port of its compact-block server', '9067')
    .option('--ironwood-height <number>', 'where NU6.3 begins', '1')
    .option('--seed <text>', 'the same seed and commands give the same payments', 'devnet')
    .option('--fixed-clock', 'block times count from 2011: the same seed and commands give the same hashes')
    .option('--old-compact-server', 'serve as a lightwalletd from before Ironwood does')
    .option(
      '--verify-proofs',
      'refuse sent transactions with wrong Orchard or Ironwood proofs (from NU6.3 on)',
    )
    .action((options: CommandOptions) =>
      actions.devnet({
        nodePort: wholeNumber('node-port', options['nodePort'], 0, MAX_PORT),
        compactPort: wholeNumber('compact-port', options['compactPort'], 0, MAX_PORT),
        ironwoodHeight: wholeNumber('ironwood-height', options['ironwoodHeight'], 1, MAX_HEIGHT),
        seed: String(options['seed']),
        ...(options['oldCompactServer'] === true ? { oldCompactServer: true } : {}),
        ...(options['verifyProofs'] === true ? { verifiesProofs: true } : {}),
        ...(options['fixedClock'] === true ? { fixedClock: true } : {}),
        ...(options['http'] === undefined
          ? {}
          : { httpPort: wholeNumber('http', options['http'], 0, MAX_PORT) }),
      }),
    );
}
