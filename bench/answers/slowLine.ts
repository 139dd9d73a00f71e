// A line to a server that is far away: what goes through it arrives later, in both directions, and as much of it as is sent.

import type { AddressInfo } from 'node:net';
import net from 'node:net';

export interface SlowLine {
  readonly port: number;
  close(): void;
}

/** `oneWayMs`: half of a round trip. */
export async function slowLineTo(url: URL, oneWayMs: number): Promise<SlowLine> {
  const open = new Set<net.Socket>();
  const carry = (from: net.Socket, to: net.Socket): void => {
    open.add(from);
    from.setNoDelay();
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), oneWayMs));
    from.on('end', () => setTimeout(() => to.end(), oneWayMs));
    from.on('error', () => to.destroy());
    from.on('close', () => open.delete(from));
  };
  const server = net.createServer((near) => {
    const far = net.connect(Number(url.port), url.hostname);
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
