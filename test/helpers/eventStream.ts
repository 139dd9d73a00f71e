// Reads server-sent events from a response, one block of lines at a time.

export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: unknown;
  /** Its lines, for comments and `retry`. */
  readonly raw: string;
}

export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #abort: AbortController;
  readonly response: Response;
  readonly #decoder = new TextDecoder();
  /** The block that comes at once. */
  opening: ReceivedEvent | undefined;
  #buffer = '';

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#reader = response.body!.getReader();
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const abort = new AbortController();
    const reader = new EventReader(await fetch(url, { headers, signal: abort.signal }), abort);
    reader.opening = await reader.next();
    return reader;
  }

  /** The next block, or undefined at the end of the stream. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end >= 0) {
        const raw = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(raw)?.[1];
        const data = field('data');
        return {
          id: field('id'),
          event: field('event'),
          data: data === undefined ? undefined : JSON.parse(data),
          raw,
        };
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#buffer += this.#decoder.decode(value, { stream: true });
    }
  }

  close(): void {
    this.#abort.abort();
  }
}
