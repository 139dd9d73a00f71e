// An installed companion as its user meets it: the story of the demo, and a payment from a restored wallet, proved and sent to a devnet.
import { startDevnet } from '@wallet-companion/devnet';
import type { ExecutionContext } from 'ava';

export interface InstalledCompanion {
  /** What the program prints, called with these words in the user's folder. */
  run(words: string): Promise<string>;
  /** A private file in that folder. */
  write(name: string, text: string): Promise<void>;
}

export async function tellsItsStory(t: ExecutionContext, { run }: InstalledCompanion): Promise<void> {
  const story = await run('demo --once');
  t.is(story.split('as the chain has it').length - 1, 5);
}

/** The wallet stays in `data`. */
export async function paysOnce(t: ExecutionContext, { run, write }: InstalledCompanion): Promise<void> {
  const devnet = await startDevnet({ nodePort: 0, compactPort: 0, seed: t.title, activation: { nu6_3: 1 } });
  t.teardown(() => devnet.close());
  const { devnet: chain, wallet } = devnet.playground;
  chain.payTo(wallet.address, { pool: 'ironwood', zatoshi: 150_000_000 });
  for (let block = 0; block < 12; block++) chain.mine({});
  await write('password', 'a password for tests\n');
  await write('phrase', `${wallet.mnemonic}\n`);
  const places = '--network regtest --data-dir data --config-dir config --password-file password';
  await run(`${places} wallet restore --mnemonic-file phrase --birthday-height 1`);
  await run(`${places} config node-url ${devnet.nodeUrl}`);
  await run(`${places} sync`);
  const paid = await run(`${places} --json pay --to ${wallet.address} --amount 0.5 --yes --no-wait`);
  t.is((JSON.parse(paid) as { readonly status: string }).status, 'sent');
  // The miner's reward, and the payment.
  t.is(chain.mine({}).transactions.length, 2);
}
