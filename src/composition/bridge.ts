// `bridge btcpay`: from the token's file to the signal that ends it.

import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { connect } from '@wallet-companion/client';
import { storageFailed } from '@wallet-companion/disk/files';
import { startBridge } from '../bridge/server/bridge.ts';
import { tokenIn } from '../bridge/server/token.ts';
import type { BridgeOptions } from '../cli/cliEnvironment.ts';
import { CompanionError } from '../protocol/errors.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { directoriesFor } from './directories.ts';
import { endRequested } from './stopping.ts';

const NO_COMPANION =
  'No companion answers. Start it with "wallet-companion serve --follow --keep-open", or say with --url where it is.';
const OWNER_ONLY = 0o700;

/** `grant`: the token of the grant with which it calls the companion. */
export async function bridge(
  { url, wallet, local, tokenFile, ...options }: BridgeOptions,
  grant: string | undefined,
): Promise<number> {
  const file = path.resolve(tokenFile ?? path.join(directoriesFor(local).configDir, 'btcpay.token'));
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw storageFailed('written', file, error);
  }
  const { text: token, isNew } = await tokenIn(file);
  const lines = new LineWriter(process.stderr);
  const { listening, close } = await startBridge({
    ...options,
    companion: connect(
      { ...(url === undefined ? {} : { baseUrl: url }), ...(grant === undefined ? {} : { token: grant }) },
      wallet,
    ),
    token,
    requestId: randomUUID,
    random: randomInt,
    after: systemAfter,
    report: (text) => lines.write(`${text}\n`),
  }).catch((error: unknown) => {
    // Nobody was shown it: the next start has one to show.
    if (isNew) rmSync(file, { force: true });
    const isAway = error instanceof CompanionError && error.code === 'COMPANION_UNREACHABLE';
    throw isAway ? new CompanionError('COMPANION_UNREACHABLE', NO_COMPANION, { cause: error }) : error;
  });
  try {
    // Before the listening line: a program that reads it may send a signal at once.
    const endReason = endRequested();
    new LineWriter(process.stdout).write(
      isNew
        ? `For BTCPay, shown this once: ${listening.url}/${token}/\nThe token is kept in ${file}\n`
        : `For BTCPay: ${listening.url}/TOKEN/ with the token in ${file}\n`,
    );
    await endReason;
    return 0;
  } finally {
    await close();
  }
}
