// `dashboard`: a link with which the owner's browser opens the running companion's page. The code in it holds once, for a
// minute, and stays in the browser: a fragment is not sent to the server.

import { CompanionError } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import type { CliEnvironment, LocalOptions } from './cliEnvironment.ts';
import { jsonText } from './jsonText.ts';

export interface DashboardCall {
  readonly json: boolean;
  readonly url: string | undefined;
  readonly local: LocalOptions;
}

export async function showDashboard(
  { json, url: given, local }: DashboardCall,
  environment: CliEnvironment,
): Promise<number> {
  if (given !== undefined) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'The link comes from the companion on this machine, through its private socket: leave --url out.',
    );
  }
  const { link, url, endsHere, close } = await environment.openLocal(local);
  try {
    if (endsHere === true || url === undefined) {
      throw new CompanionError(
        'COMPANION_UNREACHABLE',
        'No companion with a page runs here. Start one with "wallet-companion serve", without --no-http.',
      );
    }
    const context = { requestId: environment.requestId() };
    const { code, expires_at } = unwrap(await link.dispatch('grants.page_code', {}, context));
    const page = `${url}/#code=${code}`;
    environment.stdout.write(json ? jsonText({ url: page, expires_at }) : `${page}\n`);
    if (!json) environment.stderr.write('Open it in a browser within a minute; it works once.\n');
    return 0;
  } finally {
    await close();
  }
}
