// The devnet's calls over HTTP, as another program makes them.

import { type StartedDevnet, startDevnet } from '@wallet-companion/devnet';
import type { ExecutionContext } from 'ava';
import { serveCalls } from '../../../src/demo/callServer.ts';

export interface ShownBlock {
  readonly height: number;
  readonly hash: string;
  readonly size: number;
  readonly tree_sizes: Readonly<Record<string, number>>;
  readonly transactions: readonly { readonly txid: string; readonly fee_zatoshi: number }[];
}

export interface Mined {
  readonly tip: { readonly height: number; readonly hash: string };
  readonly blocks: readonly ShownBlock[];
}

export interface Called {
  readonly url: string;
  readonly started: StartedDevnet;
  readonly faults: object[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The answer of a call that must succeed. */
  ok<T = Mined>(path: string, body?: unknown): Promise<T>;
  seen<T>(path: string): Promise<T>;
}

export async function callDevnet(
  t: ExecutionContext,
  options: { readonly seed?: string; readonly ironwoodHeight?: number } = {},
): Promise<Called> {
  const faults: object[] = [];
  const started = await startDevnet({
    nodePort: 0,
    compactPort: 0,
    http: { port: 0, serve: serveCalls },
    seed: options.seed ?? 'calls',
    activation: { nu6_3: options.ironwoodHeight ?? 1 },
    report: (fields) => faults.push(fields),
  });
  t.teardown(() => started.close());
  const url = started.httpUrl!;
  const post: Called['post'] = (path, body = {}, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const get: Called['get'] = (path, headers = {}) => fetch(url + path, { headers });
  const succeeded = async (response: Response) => {
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    url,
    started,
    faults,
    get,
    post,
    ok: async <T>(path: string, body?: unknown) => (await succeeded(await post(path, body))) as T,
    seen: async <T>(path: string) => (await succeeded(await get(path))) as T,
  };
}
