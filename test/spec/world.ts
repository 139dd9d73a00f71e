// What a rule may use: a running companion, the chain beside it, its files, and its command. The rules know no more.
import type { Client } from './client.ts';

export const PASSWORD = 'correct horse';
export const WRONG = 'wrong horse';
export const PHRASE = `${'abandon '.repeat(23)}art`;

export type Payment = { readonly txid: string; readonly height: number };
export type Pool = 'sapling' | 'orchard' | 'ironwood';

export type Chain = {
  readonly nodeUrl: string;
  readonly compactServerUrl: string;
  tip(): number;
  mine(blocks: number): void;
  /** Mines one block with a note for the wallet of PHRASE, account 0. */
  pay(pool: Pool, zatoshi: number): Payment;
  /** Mines one block that spends the note of an earlier payment, all of it to somebody else; the change is a note of zero. */
  spend(payment: Payment): Payment;
  /** Takes the newest blocks away and puts as many others and one more in their place. */
  reorg(depth: number): void;
  /** The node serves this block with a bit changed, until `mend`. */
  spoil(height: number): void;
  mend(): void;
  /** Mines one block that pays and spends the same note. */
  payAndSpend(zatoshi: number): Payment;
};

export type Gate = {
  readonly url: string;
  /** A block was asked for and is held. */
  readonly reached: Promise<void>;
  release(): void;
};

export type CommandResult = { readonly code: number | null; readonly out: string; readonly err: string };

export type World = {
  readonly client: Client;
  readonly chain: Chain;
  readonly dataDir: string;
  readonly configFile: string;
  /** Stops the companion, lets somebody edit its files, and starts it again. */
  restart(edit?: () => Promise<void>): Promise<World>;
  /** A second companion with its own files on the same chain. */
  another(): Promise<World>;
  /** A door before the node that lets blocks through only after `release`. */
  gate(): Promise<Gate>;
  /** Edits config.json; only while the companion is stopped. */
  writeConfig(fields: Readonly<Record<string, unknown>>): Promise<void>;
  writeLastScanHeight(height: number): Promise<void>;
  /** Asks again until it is so; ends with the test's own limit, not with a deadline. */
  until(holds: () => Promise<boolean>): Promise<void>;
  command(args: readonly string[], input?: string): Promise<CommandResult>;
};

export type Rule = {
  readonly name: string;
  /** The sentence of the page that the rule holds to. */
  readonly says: string;
  /** Blocks of the chain before the rule begins. */
  readonly blocks?: number;
  /** Height of the first block with the newest pool; above the chain when absent. */
  readonly ironwoodFrom?: number;
  /** Only the program has what the rule is about: its limits, its own origin, its lock on the folder. */
  readonly ofProgram?: true;
  check(world: World): Promise<void>;
};

/** The wallet of PHRASE, open, with nothing scanned. */
export async function restored(world: World, birthday_height = 1): Promise<void> {
  await world.client.restore({ mnemonic: PHRASE, password: PASSWORD, birthday_height });
}
