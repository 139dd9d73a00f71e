// The story of `wallet-companion demo`: a wallet is created, notes of all three pools arrive, some are spent, the chain is
// reorganised, and the balance is right each time. Every step is one HTTP call, shown as its curl command.

import { zecColumn } from '@wallet-companion/base/values';
import type { Devnet, DevnetAccount } from '@wallet-companion/devnet';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { CompanionError } from '../protocol/errors.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import type { DemoCompanion } from './demoCompanion.ts';

/** Ironwood begins here: low enough for a short story, high enough for Orchard to come first. */
export const DEMO_ACTIVATION = { nu6_3: 12 } as const;
export const DEMO_PASSWORD = 'correct horse battery staple';

const ZATOSHI = 100_000_000;
const TRAFFIC = { sapling: 6, orchard: 6 } as const;

export interface Screen {
  write(line: string): void;
  /** Less prominent, if the terminal supports it. */
  dim(line: string): void;
}

const zec = (zatoshi: number): string => `${zecColumn(zatoshi)} ZEC`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export async function runDemoStory(devnet: Devnet, companion: DemoCompanion, screen: Screen): Promise<void> {
  const story = new DemoStory(devnet, companion, screen);
  const address = await story.makeWallet();
  await story.receive(address);
  await story.readMemos();
  await story.spend();
  await story.reorganise(address);
  await story.scanCompact();
  await story.lock();
}

class DemoStory {
  readonly #devnet: Devnet;
  readonly #companion: DemoCompanion;
  readonly #screen: Screen;
  #chapter = 0;
  #account: DevnetAccount | undefined;

  constructor(devnet: Devnet, companion: DemoCompanion, screen: Screen) {
    this.#devnet = devnet;
    this.#companion = companion;
    this.#screen = screen;
  }

  async makeWallet(): Promise<string> {
    this.#title('A wallet is made');
    const wallet = await this.#call('wallet.create', { password: DEMO_PASSWORD, birthday_height: 1 });
    this.#print(
      `Its recovery phrase has ${wallet.mnemonic.split(' ').length} words and is shown only this once.`,
    );
    this.#print(`Its address: ${wallet.unified_address}`);
    this.#print('The devnet gets the viewing key: it will compare every balance with what its chain holds.');
    const { viewing_key: viewingKey } = await this.#call('wallet.viewing_key', { password: DEMO_PASSWORD });
    this.#account = this.#devnet.account(viewingKey);
    await this.#balance();
    return wallet.unified_address;
  }

  async receive(address: string): Promise<void> {
    this.#title('Notes of all three pools arrive');
    const devnet = this.#devnet;
    this.#pay(address, 'sapling', 1.5, 'Sapling: for the bread');
    this.#pay(address, 'orchard', 2.25, 'Orchard: thanks for all the fish');
    while (devnet.tip.height < DEMO_ACTIVATION.nu6_3 - 1)
      devnet.mine({ transactions: [devnet.traffic(TRAFFIC)] });
    this.#pay(address, 'ironwood', 4, 'Ironwood: welcome 🌲');
    const mined = devnet.mine({ coinbase: { address, memo: 'you found a block' } });
    this.#print(`Block ${mined.height}: the miner's reward goes to the wallet, shielded.`);
    await this.#sync();
    await this.#balance();
  }

  async readMemos(): Promise<void> {
    this.#title('What the senders wrote');
    const { notes } = await this.#call('notes.list');
    for (const note of notes) {
      const amount = zec(note.value_zatoshi).padStart(18);
      this.#print(`${note.pool.padEnd(8)} ${amount}  block ${note.height}  ${note.memo?.text ?? ''}`);
    }
  }

  async spend(): Promise<void> {
    this.#title('A payment leaves, change comes back');
    const devnet = this.#devnet;
    const stranger = firstAddress(
      deriveViewingKeys(new Uint8Array(64).fill(1), devnet.params, 0),
      devnet.params,
      0n,
    ).unifiedAddress;
    const { payment_id, txid, fee_zatoshi } = await this.#call('payments.prepare', {
      address: stranger,
      zatoshi: 0.75 * ZATOSHI,
      memo: 'rent',
      pools: ['ironwood'],
      confirmations: 1,
    });
    this.#print('The wallet signs with the password and makes the proof by itself; the node verifies it.');
    const signed = { payment_id, txid, signer: 'own', password: DEMO_PASSWORD };
    await this.#call('payments.sign', signed);
    await this.#call('payments.prove', { payment_id });
    await this.#call('payments.broadcast', { payment_id });
    const { height } = devnet.mine();
    this.#print(
      `Block ${height}: 0.75 ZEC paid to a stranger, fee ${zec(fee_zatoshi)}; the node has verified its proof.`,
    );
    await this.#sync();
    await this.#balance();
    const { transactions } = await this.#call('transactions.list', { limit: 1 });
    for (const { spent_zatoshi: spent, received_zatoshi: change, sent_outputs: sent } of transactions) {
      this.#print(`Spent ${zec(spent)}, got back ${zec(change)} in change.`);
      for (const { value_zatoshi: value, scope, memo } of sent) {
        const what = scope === 'internal' ? 'change' : (memo?.text ?? 'no memo');
        this.#print(`Recovered with the outgoing key: ${zec(value)}, ${what}.`);
      }
    }
  }

  async reorganise(address: string): Promise<void> {
    this.#title('The chain changes its mind');
    this.#pay(address, 'sapling', 9, 'too good to last');
    await this.#sync();
    await this.#balance();
    const { forkHeight, abandoned, mined } = this.#devnet.reorganise(1);
    this.#print(
      `The network abandons block ${abandoned[0]?.height}: ${counted(mined.length, 'other block')} on block ${forkHeight}.`,
    );
    const summary = await this.#sync();
    const { reorg } = summary;
    if (reorg) {
      this.#print(
        `The wallet went back to block ${reorg.fork_height}: ${counted(reorg.depth, 'block')} undone.`,
      );
    }
    await this.#balance();
  }

  async scanCompact(): Promise<void> {
    this.#title('The same from compact blocks');
    const info = await this.#call('lwd.info');
    this.#print(`The compact server stands at block ${info.block_height}.`);
    const stored = await this.#call('lwd.sync_compact');
    this.#print(`${stored.blocks_stored} blocks stored, ${stored.bytes} bytes.`);
    await this.#call('wallet.rescan');
    await this.#sync({ source: 'compact' });
    await this.#balance();
  }

  async lock(): Promise<void> {
    this.#title('The wallet is locked');
    await this.#call('wallet.lock');
    try {
      await this.#call('balance.get');
    } catch (thrown) {
      if (!(thrown instanceof CompanionError) || thrown.code !== 'WALLET_LOCKED') throw thrown;
      this.#print(`Refused, as it should be: ${thrown.code}.`);
    }
  }

  /** Mines one block with the payment and the traffic of other wallets. */
  #pay(address: string, pool: Pool, amount: number, memo: string): void {
    const devnet = this.#devnet;
    const payment = devnet.pay([{ address, pool, zatoshi: Math.round(amount * ZATOSHI), memo }]);
    const { height } = devnet.mine({ transactions: [devnet.traffic(TRAFFIC), payment] });
    this.#print(
      `Block ${height}: somebody pays ${amount} ZEC to the ${pool} pool (a version ${payment.version} transaction).`,
    );
  }

  async #sync(input: object = {}): Promise<Output<'sync.run'>> {
    const summary = await this.#call('sync.run', input);
    const {
      blocks_scanned: blocks,
      outputs_scanned: outputs,
      notes_found: found,
      notes_spent: spent,
    } = summary;
    this.#print(
      `${counted(blocks, 'block')}, ${counted(outputs, 'output')}: ${counted(found, 'note')} found, ${spent} spent. At block ${summary.last_scan_height}.`,
    );
    return summary;
  }

  async #balance(): Promise<void> {
    const balance = await this.#call('balance.get');
    if (balance.as_of_height === null) {
      this.#print('Unknown: nothing was scanned yet.');
      return;
    }
    for (const pool of POOLS) {
      const { total_zatoshi: total, note_count: count } = balance.pools[pool];
      this.#print(`${pool.padEnd(8)} ${zec(total).padStart(18)}  in ${counted(count, 'note')}`);
      if (BigInt(total) !== this.#owner.balance(pool)) {
        throw new Error(`the chain holds ${zec(Number(this.#owner.balance(pool)))} in ${pool} notes`);
      }
    }
    this.#print(`${'total'.padEnd(8)} ${zec(balance.total_zatoshi).padStart(18)}  as the chain has it`);
  }

  get #owner(): DevnetAccount {
    if (!this.#account) throw new Error('the story starts with a wallet');
    return this.#account;
  }

  #call<N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> {
    this.#screen.dim(`  $ ${this.#companion.curl(name, input)}`);
    return this.#companion.call(name, input);
  }

  #title(text: string): void {
    this.#screen.write('');
    this.#screen.write(`${++this.#chapter}. ${text}`);
  }

  #print(text: string): void {
    this.#screen.write(`  ${text}`);
  }
}
