import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** Answers every request with 401, as a node does that asks for its cookie, and remembers what it was shown. */
export class RecordingServer {
  readonly shown: (string | undefined)[] = [];
  /** Sends whoever asks elsewhere instead. */
  redirectTo: string | undefined;
  readonly #host: string;
  readonly #server: http.Server;

  private constructor(host: string) {
    this.#host = host;
    this.#server = http.createServer((request, response) => {
      this.shown.push(request.headers.authorization);
      if (this.redirectTo === undefined) response.writeHead(401);
      else response.writeHead(307, { location: this.redirectTo });
      request.resume().on('end', () => response.end());
    });
  }

  static async start(t: ExecutionContext, host = '127.0.0.1'): Promise<RecordingServer> {
    const recording = new RecordingServer(host);
    await new Promise<void>((resolve, reject) => {
      recording.#server.once('error', reject);
      recording.#server.listen(0, host, resolve);
    });
    t.teardown(() => {
      recording.#server.closeAllConnections();
      recording.#server.close();
    });
    return recording;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${port}`;
  }

  /** Whether any request since the last question came with credentials; undefined when none came at all. */
  sawCookie(): boolean | undefined {
    const shown = this.shown.splice(0);
    return shown.length === 0 ? undefined : shown.some((authorization) => authorization !== undefined);
  }
}
