// Connections over which megabytes come are read into the same memory again and again. Node gives every read memory of
// its own otherwise, and collecting that costs more than what is done with it.
//
// Node's HTTP listens to a socket's `data`, so that is what it is told here. It keeps nothing of a read: heads become
// strings, and pieces of an answer copies. Should a Node ever hand out the read itself, every read gets its own memory.

import http from 'node:http';
import net from 'node:net';

/** As much as Node reads at a time. */
const READ_BYTES = 65_536;

/** Without TLS: there it is Node's TLS that hands out the memory. */
export class ReusingAgent extends http.Agent {
  readonly #used = new WeakSet<ArrayBufferLike>();
  /** Whether Node's HTTP does so; undefined until there was an answer. */
  #keepsNothing: boolean | undefined;

  override createConnection(options: net.NetConnectOpts): net.Socket {
    let memory = this.#memory();
    const buffer = (): Buffer => {
      if (this.#keepsNothing !== true) memory = this.#memory();
      return memory;
    };
    const callback = (length: number): boolean => {
      socket.emit('data', memory.subarray(0, length));
      return true;
    };
    const socket = net.connect({ ...options, onread: { buffer, callback } });
    return socket;
  }

  /** To be told of each answer at its head. Until a first piece has come, every read has its own memory, too. */
  watch(answer: http.IncomingMessage): void {
    if (this.#keepsNothing !== undefined) return;
    answer.once('data', (piece: Buffer) => {
      this.#keepsNothing = !this.#used.has(piece.buffer);
    });
  }

  #memory(): Buffer {
    const memory = Buffer.allocUnsafeSlow(READ_BYTES);
    this.#used.add(memory.buffer);
    return memory;
  }
}
