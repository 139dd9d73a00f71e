// A door before the node: everything passes but blocks, which wait until somebody opens it.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Gate } from './world.ts';

export async function openGate(nodeUrl: string): Promise<Gate & { close(): Promise<void> }> {
  let arrived = (): void => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, async (asked, answer) => {
    answer.on('error', () => {});
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    if (body.includes('"getblock"')) {
      arrived();
      await released;
    }
    const { host: _, ...headers } = asked.headers;
    const passed = request(nodeUrl, { method: asked.method ?? 'POST', headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    release,
    close: () => {
      release();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
