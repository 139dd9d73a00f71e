// Takes bodies, wipes each piece, and forgets them: prints its port, and waits to be looked at.
import type { RequestListener } from 'node:http';
import { listen } from '../../../src/http/server/listen.ts';

const take: RequestListener = (request, response) =>
  void request.on('data', (piece: Buffer) => piece.fill(0)).on('end', () => response.end('{}'));
const { port } = await listen({ app: { callback: () => take }, port: 0, requestId: () => 'reading' });
process.stdout.write(`${port}\n`);
