// Parses server-sent events (WHATWG HTML, section 9.2) from text that arrives in pieces of any size. `EventSource` does
// that in a page, but Node has none and it cannot resume from a given id.

export interface EventMessage {
  /** The id of this message, or of the latest message that had one. */
  readonly id: string | undefined;
  readonly event: string;
  /** Undefined for a message that only sets the id. */
  readonly data: string | undefined;
}

/** The longest valid message is a few kilobytes. */
const MAX_MESSAGE_CHARACTERS = 1 << 20;

export class EventMessageReader {
  #line = '';
  #endedWithCr = false;
  #id: string | undefined;
  #event = '';
  #data: string[] = [];
  #length = 0;
  /** Milliseconds until the next try, as the server requests. */
  retryMs: number | undefined;

  /** Returns the messages that this piece completes. Throws RangeError when a message is too long. */
  push(piece: string): EventMessage[] {
    const text = this.#endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#endedWithCr = piece.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\n|\r/);
    this.#add(first);
    const messages: EventMessage[] = [];
    for (const next of others) {
      const message = this.#take(this.#line);
      if (message) messages.push(message);
      this.#line = '';
      this.#add(next);
    }
    return messages;
  }

  #add(part: string): void {
    this.#line += part;
    this.#length += part.length;
    if (this.#length > MAX_MESSAGE_CHARACTERS) throw new RangeError('an event is too long');
  }

  #take(line: string): EventMessage | undefined {
    if (line === '') return this.#complete();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else {
      // Comments and heartbeats do not count towards the length of the message that contains them.
      this.#length -= line.length;
      if (name === 'event') this.#event = value;
      else if (name === 'id' && !value.includes('\0')) this.#id = value;
      else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    }
    return undefined;
  }

  #complete(): EventMessage {
    const data = this.#data.length === 0 ? undefined : this.#data.join('\n');
    const message = { id: this.#id, event: this.#event || 'message', data };
    this.#event = '';
    this.#data = [];
    this.#length = 0;
    return message;
  }
}
