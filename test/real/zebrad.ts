// A real zebrad on regtest, on free loopback ports, its state in a temporary folder. `npm run test:real` installs it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProgram } from '../helpers/foreignProgram.ts';
import { freePort } from '../helpers/freePort.ts';

// Tests run from the project's root.
export const { realNodeFolder, isRealNodeInstalled } = (await import(
  pathToFileURL('scripts/realNode.mjs').href
)) as {
  realNodeFolder: () => string;
  isRealNodeInstalled: () => boolean;
};

/** NU6.3 (Ironwood) starts here, everything before it at height 1. */
export const IRONWOOD_HEIGHT = 20;
/** The recorded chain has 127 blocks, all of them from before. */
export const NU7_AFTER_RECORDED = 129;

export const heightsWith = (nu7: number) => ({ nu6_3: IRONWOOD_HEIGHT, nu7 });

export interface Zebrad {
  readonly url: string;
  readonly compactUrl: string;
  /** Where its JSON-RPC listens. */
  readonly hostPort: string;
  /** Where it takes connections of peers: one of each address. */
  readonly peer: string;
  readonly cookieFile: string | undefined;
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
  stop(): Promise<void>;
}

export async function startZebrad(options: {
  minerAddress: string;
  nu7: number | undefined;
  cookie?: boolean;
  /** Nodes that it connects to; it then takes several connections of one address. */
  peers?: readonly string[];
}): Promise<Zebrad> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-zebrad-'));
  const [rpcPort, grpcPort, p2pPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const cookie = options.cookie === true;
  const config = `
[network]
network = "Regtest"
listen_addr = "127.0.0.1:${p2pPort}"
cache_dir = false
initial_testnet_peers = ${JSON.stringify(options.peers ?? [])}
initial_mainnet_peers = []
${options.peers === undefined ? '' : 'max_connections_per_ip = 8'}
[network.testnet_parameters.activation_heights]
NU5 = 1
NU6 = 1
"NU6.1" = 1
"NU6.2" = 1
"NU6.3" = ${IRONWOOD_HEIGHT}
${options.nu7 === undefined ? '' : `NU7 = ${options.nu7}`}
[mining]
miner_address = "${options.minerAddress}"
[rpc]
listen_addr = "127.0.0.1:${rpcPort}"
enable_cookie_auth = ${cookie}
cookie_dir = "${folder}"
lightwalletd_listen_addr = "127.0.0.1:${grpcPort}"
[state]
cache_dir = "${folder}/state"
ephemeral = true
[mempool]
debug_enable_at_height = 0
[sync]
parallel_cpu_threads = 0
[tracing]
filter = "warn"
use_color = false
`;
  const configFile = path.join(folder, 'zebrad.toml');
  writeFileSync(configFile, config);
  const binaries = realNodeFolder();
  const cookieFile = cookie ? path.join(folder, '.cookie') : undefined;
  const url = `http://127.0.0.1:${rpcPort}`;
  const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const authorization =
      cookieFile === undefined
        ? {}
        : { authorization: `Basic ${btoa(readFileSync(cookieFile, 'utf8').trim())}` };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body = (await response.json()) as { result?: T; error?: unknown };
    if (body.error !== undefined && body.error !== null)
      throw new Error(`${method}: ${JSON.stringify(body.error)}`);
    return body.result as T;
  };
  const program = await startProgram(
    [path.join(binaries, 'zebrad'), '-c', configFile, 'start'],
    { LD_LIBRARY_PATH: binaries, TMPDIR: folder },
    () =>
      cookieFile === undefined || existsSync(cookieFile)
        ? rpc('getblockcount')
        : Promise.reject(new Error('no cookie yet')),
  );
  return {
    url,
    compactUrl: `http://127.0.0.1:${grpcPort}`,
    hostPort: `127.0.0.1:${rpcPort}`,
    peer: `127.0.0.1:${p2pPort}`,
    cookieFile,
    rpc,
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a real transaction with proofs from the node's chain (tools/regsend); resolves with its output. */
export function regsend(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(realNodeFolder(), 'regsend'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`regsend failed: ${output}`)),
    );
  });
}
