// Everything that the command line needs from its process, injected so that tests can replace it.

import type { ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent, EventsMissed } from '../protocol/events.ts';
import type { Dispatcher, EventPublisher } from '../protocol/link.ts';
import type { Network } from '../protocol/network.ts';
import type { Output } from '../protocol/operations.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import type { TerminalInput, TerminalOutput } from '../terminal/streams.ts';
import type { LocalSettings } from './localSettings.ts';
import type { SecretSource } from './secrets.ts';

/** Where an operation without a URL finds its files. Default: the usual directories and config.json. */
export interface LocalOptions {
  readonly configDir?: string;
  readonly dataDir?: string;
  readonly network?: Network;
  readonly nodeCookieFile?: string;
}

export interface ServeOptions extends LocalOptions {
  /** Port 0 picks a free one. */
  readonly port: number;
  /** A loopback address; both loopback addresses when left out. */
  readonly host?: string;
  readonly nodeUrl?: string;
  readonly compactServerUrl?: string;
  /** Scan new blocks as they arrive while the wallet is unlocked. */
  readonly follow: boolean;
  /** Do not lock the wallet when it is idle. */
  readonly keepOpen?: true;
  /** Listen on the private socket alone. */
  readonly noHttp?: true;
  /** Write the log only to stderr. */
  readonly noLogFile?: true;
  /** Write JSON lines on a terminal as well. */
  readonly logJson?: true;
  /** End when standard input ends. */
  readonly endWithStdin?: true;
  /** Password files of the wallets besides the default one, by name. */
  readonly walletPasswordFiles?: ReadonlyMap<string, string>;
}

export interface ScanWorkerOptions extends LocalOptions {
  readonly source: 'compact' | 'node';
  readonly nodeUrl?: string;
  readonly compactServerUrl?: string;
  readonly fleetRedisUrl?: string;
  readonly fleetRedisPasswordFile?: string;
  readonly fleetKeyFile?: string;
  readonly threads?: number;
  readonly lockSeconds: number;
}

export interface DevnetOptions {
  readonly nodePort: number;
  readonly compactPort: number;
  readonly ironwoodHeight: number;
  readonly seed: string;
  readonly httpPort?: number;
  readonly oldCompactServer?: boolean;
  readonly fixedClock?: boolean;
}

/** An open connection that delivers a companion's events. */
export interface EventConnection {
  readonly link: Dispatcher;
  close(): void;
}

/** Opens a connection, or the next one after a loss, with what happened since the last event. Throws `CompanionError`. */
export type ConnectEvents = (
  listener: (event: CompanionEvent | EventsMissed) => void,
  onLost: () => void,
) => Promise<EventConnection>;

export interface BridgeOptions {
  /** The companion; undefined: where one usually is. */
  readonly url: string | undefined;
  readonly wallet: string | undefined;
  readonly local: LocalOptions;
  readonly port: number;
  /** BTCPay's address. */
  readonly callback: string | undefined;
  /** Default: in the folder of config.json. */
  readonly tokenFile: string | undefined;
}

export type SignerAction =
  | {
      readonly kind: 'init';
      readonly mnemonic: SecretSource;
      readonly bip39Passphrase: SecretSource;
      /** Takes the phrase of the wallet of the companion. */
      readonly fromWallet: boolean;
      readonly walletPassword: SecretSource;
    }
  /** `from`: a file with another policy. */
  | { readonly kind: 'policy'; readonly from: string | undefined }
  | { readonly kind: 'run'; readonly socket: string | undefined; readonly group: string | undefined }
  | { readonly kind: 'log' }
  | { readonly kind: 'cancel'; readonly txid: string; readonly socket: string | undefined };

export type SignerCall = SignerAction & {
  readonly json: boolean;
  /** Its own folder; undefined: beside the data directory. */
  readonly folder: string | undefined;
  /** The signer's, not the wallet's. */
  readonly password: SecretSource;
  readonly wallet: string | undefined;
  readonly local: LocalOptions;
};

export type ServiceAction = 'status' | 'logs' | 'uninstall';

export interface ServiceInstall {
  /** Print the unit without changing anything. */
  readonly print: boolean;
  readonly namespaces: boolean;
  /** Undefined: asked for at a terminal, else left as it is. */
  readonly anonymousAccess: LocalSettings['anonymous_access'] | undefined;
}

export interface RestoredBackup {
  readonly wallets: readonly string[];
  /** When the backup was made. */
  readonly made_at: string;
}

export interface OpenedLink {
  /** Events come from this process or over the private socket, but not over HTTP. */
  readonly link: Dispatcher & Partial<EventPublisher>;
  /** The actors run in this process and end with it, so no session outlives the command. */
  readonly endsHere?: true;
  /** Where the companion listens, if it does and that is known. */
  readonly url?: string;
  close(): Promise<void>;
}

export interface CliEnvironment {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly version: string;
  /** The wallet that is used when `--wallet` is missing. */
  readonly wallet?: string | undefined;
  /** The token of a grant, for companions at a URL; undefined: none. Throws where its file cannot be read. */
  readonly grantToken?: () => Promise<string | undefined>;
  /**
   * Runs the companion until it ends, unlocked when a password is given, also after its wallet thread is lost; resolves
   * with the exit code. `others`: passwords of wallets besides the default one, by name.
   */
  serve(
    options: ServeOptions,
    password?: StartPassword,
    others?: ReadonlyMap<string, StartPassword>,
  ): Promise<number>;
  /** Sets up the system's service manager to run `serve`; resolves with the exit code. Throws `CompanionError`. */
  installService(options: ServeOptions, more: ServiceInstall, passwordFile?: string): Promise<number>;
  manageService(action: ServiceAction): Promise<number>;
  /** Shows the desktop window, first of this wallet, until it is closed; resolves with the exit code. Throws `CompanionError`. */
  desktop(options: LocalOptions, password?: string, wallet?: string): Promise<number>;
  /** The actors in this process, or the companion that already holds the data directory. Throws `CompanionError`. */
  openLocal(options: LocalOptions): Promise<OpenedLink>;
  /** Of the companion that holds the data directory. Connecting throws `COMPANION_UNREACHABLE` when there is none. */
  connectEvents(options: LocalOptions, wallet?: string): Promise<ConnectEvents>;
  /** The files of the companion's log, oldest first; they need not exist. */
  logFiles(options: LocalOptions): readonly string[];
  /** Scans for a fleet until it is stopped; resolves with the exit code. Throws `CompanionError`. */
  scanWorker(options: ScanWorkerOptions): Promise<number>;
  /** Makes, shows, changes or runs an allowance signer; resolves with the exit code. Throws `CompanionError`. */
  signer(call: SignerCall): Promise<number>;
  /** Answers a shop's software until it is stopped; resolves with the exit code. Throws `CompanionError`. */
  bridge(options: BridgeOptions): Promise<number>;
  /** The bytes of a backup of everything, beside a companion that may be running. The caller wipes the password afterwards. */
  backupOf(options: LocalOptions, password: Uint8Array): AsyncIterable<Uint8Array>;
  /** Remembers when a backup was complete. */
  markBackup(options: LocalOptions): Promise<void>;
  /** Puts a backup into folders without wallets. Throws `CompanionError`, with nothing changed. */
  restoreBackup(options: LocalOptions, file: string, password: Uint8Array): Promise<RestoredBackup>;
  /** Runs the demo; resolves with the exit code. */
  demo(once: boolean): Promise<number>;
  /** Runs the embedded chain until it is stopped. */
  devnet(options: DevnetOptions): Promise<number>;
  /**
   * Writes the settings that `change` computes from those in config.json. A running companion reads them again;
   * throws `BUSY` where it cannot.
   */
  changeSettings(
    options: LocalOptions,
    change: (now: LocalSettings) => Partial<LocalSettings>,
  ): Promise<LocalSettings>;
  /** The doctor's answer where no companion can start, for this reason. */
  diagnose(options: LocalOptions, reason: ErrorRecord): Promise<Output<'doctor.run'>>;
  /** Sentences about keys of config.json that have no effect and are probably mistakes. */
  configWarnings(options: LocalOptions): Promise<readonly string[]>;
  readonly requestId: () => string;
  /** Whether systemd runs here, so that a service can be set up. */
  readonly hasSystemd: boolean;
  /** What is wrong with a recovery phrase, by its words and its checksum; undefined: nothing. */
  phraseCheck(): Promise<(phrase: string) => string | undefined>;
  /** 0 to below 1, unpredictable. */
  readonly random: () => number;
  readonly now: () => Date;
  /** Calls back on Ctrl-C until the returned function is called. */
  onInterrupt(callback: () => void): () => void;
  /** Calls back repeatedly until the returned function is called. */
  every(intervalMs: number, callback: () => void): () => void;
}
