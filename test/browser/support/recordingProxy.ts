// Stands between the browser and a companion on a port of its own, passes everything on as it came, and keeps what was
// asked and how it was answered: what a page does not get to see has arrived all the same, or has not.

import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { HOSTILE_PAGE, listening } from './hostileSite.ts';

/** A page of the name that the attacker answered for, until the name led here. */
export const REBOUND = '/rebound';

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

export interface RecordingProxy {
  readonly port: number;
  /** What pages of the companion did not ask for themselves, in the order of the answers. */
  strangers(): readonly Recorded[];
  close(): Promise<void>;
}

export async function startRecordingProxy(companionUrl: string): Promise<RecordingProxy> {
  const recorded: Recorded[] = [];
  const server = createServer((asked, answer) => {
    const { method = '', url = '', headers } = asked;
    if (url === REBOUND) return void answer.writeHead(200, { 'content-type': 'text/html' }).end(HOSTILE_PAGE);
    const record = (status: number): void => void recorded.push({ method, path: url, headers, status });
    const passed = request(
      companionUrl,
      { method, path: url, headers: asked.rawHeaders, setHost: false, agent: false },
      (response) => {
        record(response.statusCode ?? 0);
        answer.writeHead(response.statusCode ?? 0, response.rawHeaders);
        response.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  const { port, close } = await listening(server);
  const isOwnPage = ({ headers }: Recorded): boolean =>
    headers['sec-fetch-site'] === 'same-origin' &&
    headers.referer?.startsWith(`http://${headers.host}/`) === true;
  return {
    port,
    strangers: () => recorded.filter((one) => !isOwnPage(one)),
    close,
  };
}
