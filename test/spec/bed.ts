// The real companion on an embedded chain, as a rule sees it. Nothing here looks into the companion: it is started, spoken
// to, stopped and started again, and its config.json is written as a person would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type ServiceOptions, UNHURRIED } from '../helpers/service.ts';
import { Client } from './client.ts';
import type { Companion } from './companionHere.ts';
import { openGate } from './gate.ts';
import { type Chain, type CommandResult, type Payment, PHRASE, type Rule, type World } from './world.ts';

/** Above every chain that does not ask for it. */
const NO_IRONWOOD = 30_000;
/** Of a transaction with one note in and one out. */
const FEE = 10_000;

export type Start = (t: ExecutionContext, options: ServiceOptions) => Promise<Companion>;

type Settings = {
  readonly t: ExecutionContext;
  readonly chain: Chain;
  readonly heights: object;
  readonly start: Start;
};

export async function openWorld(t: ExecutionContext, rule: Rule, start: Start): Promise<World> {
  const nu6_3 = rule.ironwoodFrom ?? NO_IRONWOOD;
  const devnet = new Devnet({ params: regtestParameters({ nu6_3 }), seed: rule.name });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(rule.blocks ?? 0);
  const [nodeUrl, compactServerUrl] = [await devnet.node.listen(), await devnet.compact.listen()];
  return run({ t, chain: chainOf(devnet, nodeUrl, compactServerUrl), heights: { nu6_3 }, start });
}

function chainOf(devnet: Devnet, nodeUrl: string, compactServerUrl: string): Chain {
  const ours = deriveViewingKeys(mnemonicToSeed(PHRASE, ''), devnet.params, 0);
  const theirs = deriveViewingKeys(new Uint8Array(64).fill(7), devnet.params, 0);
  const address = firstAddress(ours, devnet.params, 0n).unifiedAddress;
  const stranger = firstAddress(theirs, devnet.params, 0n).unifiedAddress;
  const account = devnet.account(ours, 0);
  const mined = (transactions: ReturnType<Devnet['pay']>[]): Payment => {
    const { height } = devnet.mine({ transactions });
    return { txid: toDisplayHex(transactions[0]!.txid), height };
  };
  const spending = (notes: ReturnType<typeof account.notes>) => {
    const zatoshi = Number(notes[0]!.note.value) - FEE;
    const pool = notes[0]!.note.pool;
    return devnet.spend(account, { from: notes, payments: [{ address: stranger, pool, zatoshi }] });
  };
  return {
    nodeUrl,
    compactServerUrl,
    tip: () => devnet.tip.height,
    mine: (blocks) => devnet.mineEmpty(blocks),
    pay: (pool, zatoshi) => mined([devnet.pay([{ address, pool, zatoshi }])]),
    spend: ({ txid }) => {
      const { transaction } = devnet.blocks.byTxid(txid)!;
      const paid = account.notes().filter((owned) => transaction.notes.includes(owned.note));
      return mined([spending(paid)]);
    },
    payAndSpend: (zatoshi) => {
      const paid = devnet.pay([{ address, pool: 'orchard', zatoshi }]);
      return mined([paid, spending(account.notesIn(paid))]);
    },
    reorg: (depth) => void devnet.reorganise(depth),
    spoil: (height) => devnet.node.misbehave({ kind: 'flipped-bit', height, at: 40 }),
    mend: () => devnet.node.behave(),
  };
}

async function run(settings: Settings, folder?: string): Promise<World> {
  const { t, chain, heights, start } = settings;
  const config = {
    network: 'regtest',
    node_url: chain.nodeUrl,
    compact_server_url: chain.compactServerUrl,
    activation_heights: heights,
  };
  const service = await start(t, folder === undefined ? { config } : { folder });
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  const configFile = path.join(service.configDir, 'config.json');
  const writeConfig = async (fields: Readonly<Record<string, unknown>>) => {
    const before = JSON.parse(await readFile(configFile, 'utf8')) as Record<string, unknown>;
    await writeFile(configFile, JSON.stringify({ ...before, ...fields }));
  };
  return {
    client: new Client(service.url),
    chain,
    dataDir: service.dataDir,
    configFile,
    writeConfig,
    writeLastScanHeight: (last_scan_height) => writeConfig({ last_scan_height }),
    restart: async (edit) => {
      await service.stop();
      await edit?.();
      return run(settings, service.folder);
    },
    another: () => run(settings),
    gate: async () => {
      const gate = await openGate(chain.nodeUrl);
      t.teardown(gate.close);
      return gate;
    },
    until: async (holds) => {
      while (!(await holds()));
    },
    command: (args, input = '') => runCommand(t, args, input),
  };
}

async function runCommand(
  t: ExecutionContext,
  args: readonly string[],
  input: string,
): Promise<CommandResult> {
  const child = untilTestEnds(
    t,
    spawn(process.execPath, [...UNHURRIED, PROGRAM, ...args], { stdio: 'pipe' }),
  );
  child.stdin.on('error', () => undefined).end(input);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, out, err };
}
