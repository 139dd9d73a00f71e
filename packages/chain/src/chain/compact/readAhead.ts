// How far one stream is read ahead of its consumer, in bytes. gRPC reads 16 messages ahead whatever their size: of the
// largest ones that is some 40 MB a stream, and the caller chooses how many streams there are.

import { InterceptingCall, type Interceptor } from '@grpc/grpc-js';

/** Above it, the next message waits within gRPC: today's blocks stream on, a block of the largest size is alone. */
const BYTES_AHEAD = 256 * 1024;

export class ReadAhead {
  #bytes = 0;
  #held: (() => void) | undefined;

  /** For one call only. */
  readonly interceptor: Interceptor = (options, nextCall) =>
    new PacedCall(nextCall(options), (read) => this.#whenTaken(read));

  arrived(message: Uint8Array): void {
    this.#bytes += message.length;
  }

  /** The consumer has finished with it. */
  taken(message: Uint8Array): void {
    this.#bytes -= message.length;
    const read = this.#held;
    if (read === undefined || this.#bytes >= BYTES_AHEAD) return;
    this.#held = undefined;
    read();
  }

  /** A stream requests its next message only when the one before has come. */
  #whenTaken(read: () => void): void {
    if (this.#bytes < BYTES_AHEAD) read();
    else this.#held = read;
  }
}

class PacedCall extends InterceptingCall {
  readonly #pace: (read: () => void) => void;

  constructor(call: ConstructorParameters<typeof InterceptingCall>[0], pace: (read: () => void) => void) {
    super(call);
    this.#pace = pace;
  }

  override startRead(): void {
    this.#pace(() => super.startRead());
  }
}
