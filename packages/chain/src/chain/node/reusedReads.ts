// Connections with megabytes of data read into the same memory again and again. Otherwise Node allocates new memory for
// every read, and collecting it costs more than processing the data.
//
// Node's HTTP listens to a socket's `data`, so this code emits that event. Node keeps nothing of a read: heads become
// strings, pieces of an answer copies. If a Node version ever passes on the read itself, every read gets new memory.

import http from 'node:http';
import net from 'node:net';

/** As much as Node reads at a time. */
const READ_BYTES = 65_536;

/** Without TLS: there, Node's TLS allocates the memory. */
export class ReusingAgent extends http.Agent {
  readonly #used = new WeakSet<ArrayBufferLike>();
  /** Whether Node's HTTP copies what it reads; undefined before the first answer. */
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

  /** Call it with each answer at its head. Until its first piece has come, every read has new memory, too. */
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
