// Compact-block servers of others in front of a node: the same folder and port for as long as a test runs, so that one can
// be restarted, started anew, or replaced by another behind the same URL.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CompactConnection } from '@wallet-companion/chain/compact';
import type { Teardown } from '../../helpers/childProcess.ts';
import { type ForeignProgram, startProgram, untilTrue } from '../../helpers/foreignProgram.ts';
import { freePort } from '../../helpers/freePort.ts';

// Tests run from the project's root.
const installed = (await import(pathToFileURL('scripts/compactServers.mjs').href)) as {
  lightwalletd(): string | undefined;
  zainod(): string | undefined;
};

/** A node's JSON-RPC. */
export interface Behind {
  readonly hostPort: string;
  /** Its height. */
  tip(): Promise<number>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly node: Behind;
}

export interface Kind {
  readonly name: string;
  /** The program, where it is installed. */
  readonly program: string | undefined;
  /** Stops at the first block of NU7 otherwise. */
  readonly knowsNu7: boolean;
  command(place: Place): Promise<readonly [string, ...string[]]>;
  readonly env: Readonly<Record<string, string>>;
}

const [host, NOT_CHECKED] = ['127.0.0.1', 'none'];

export const LIGHTWALLETD: Kind = {
  name: 'lightwalletd',
  program: installed.lightwalletd(),
  knowsNu7: true,
  command: async ({ folder, port, node }) => {
    const [rpcHost, rpcPort] = node.hostPort.split(':');
    return [
      installed.lightwalletd() ?? '',
      '--no-tls-very-insecure',
      `--grpc-bind-addr=${host}:${port}`,
      `--http-bind-addr=${host}:${await freePort()}`,
      `--rpchost=${rpcHost}`,
      `--rpcport=${rpcPort}`,
      // It refuses to start without them.
      `--rpcuser=${NOT_CHECKED}`,
      `--rpcpassword=${NOT_CHECKED}`,
      `--data-dir=${folder}`,
      `--log-file=${path.join(folder, 'server.log')}`,
    ];
  },
  env: {},
};

export const ZAINOD: Kind = {
  name: 'zainod',
  program: installed.zainod(),
  knowsNu7: false,
  command: ({ folder, port, node }) => {
    const config = path.join(folder, 'zainod.toml');
    writeFileSync(
      config,
      `backend = "rpc"
network = "Regtest"
[grpc_settings]
listen_address = "${host}:${port}"
[validator_settings]
validator_jsonrpc_listen_address = "${node.hostPort}"
validator_user = "${NOT_CHECKED}"
validator_password = "${NOT_CHECKED}"
[storage.database]
path = "${path.join(folder, 'database')}"
`,
    );
    return Promise.resolve([installed.zainod() ?? '', 'start', '--config', config]);
  },
  env: { LD_LIBRARY_PATH: path.dirname(installed.zainod() ?? '.'), RUST_LOG: 'error' },
};

export const KINDS = [LIGHTWALLETD, ZAINOD];

export interface CompactServer {
  readonly name: string;
  readonly url: string;
  readonly connection: CompactConnection;
  /** Until it announces the node's tip. */
  caughtUp(): Promise<void>;
}

export interface OwnServer extends CompactServer {
  /** Stops it, by SIGKILL as well, and starts it on what it has. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** Without what it has. */
  resync(): Promise<void>;
  /** By one of another kind behind the same URL. */
  replace(kind: Kind): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay open and nothing is answered. */
  hold(): void;
  release(): void;
  stop(): Promise<void>;
}

export function serverAt(t: Teardown, name: string, url: string, node: Behind): CompactServer {
  const connection = new CompactConnection(url);
  t.teardown(() => connection.close());
  return {
    name,
    url,
    connection,
    caughtUp: () =>
      untilTrue(`${name} has the node's tip`, async () => {
        const tip = await node.tip();
        const reported = await connection.latestBlock().catch(() => undefined);
        return Number(reported?.height ?? -1) === tip;
      }),
  };
}

export async function startCompactServer(t: Teardown, first: Kind, node: Behind): Promise<OwnServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-compact-'));
  const port = await freePort();
  const server = serverAt(t, first.name, `http://${host}:${port}`, node);
  let kind = first;
  let program: ForeignProgram | undefined;
  const start = async (): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    const command = await kind.command({ folder, port, node });
    program = await startProgram(command, kind.env, () => server.connection.info());
  };
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    await program?.stop(signal);
    program = undefined;
  };
  const startAnew = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
    await start();
  };
  t.teardown(async () => {
    await stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    ...server,
    restart: async (signal) => {
      await stop(signal);
      await start();
    },
    resync: startAnew,
    replace: (next) => {
      kind = next;
      return startAnew();
    },
    hold: () => program?.signal('SIGSTOP'),
    release: () => program?.signal('SIGCONT'),
    stop: () => stop(),
  };
}
