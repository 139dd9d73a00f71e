// Server-sent events as a browser reads them: fields by line, an empty line ends one event.
import { request } from 'node:http';

export type Event = { readonly id: string; readonly event: string; readonly data: string };
export type EventStream = {
  readonly seen: Event[];
  /** The next event of that name, counted from the last one that `next` gave. */
  next(name: string): Promise<Event>;
  close(): void;
};

export function openEvents(url: string, lastEventId?: string): Promise<EventStream> {
  return new Promise((opened, failed) => {
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
    const asked = request(url, { headers, agent: false }, (answer) => {
      if (!/^text\/event-stream\b/.test(answer.headers['content-type'] ?? '')) {
        failed(new Error(`events as ${answer.headers['content-type']} with ${answer.statusCode}`));
        return;
      }
      const seen: Event[] = [];
      const waiting = new Set<() => void>();
      let text = '';
      let read = 0;
      answer.setEncoding('utf8');
      answer.on('error', () => {});
      answer.on('data', (part: string) => {
        text += part;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = parsed(text.slice(0, end));
          if (event !== null) seen.push(event);
          text = text.slice(end + 2);
        }
        for (const wake of [...waiting]) wake();
      });
      opened({
        seen,
        next: (name) =>
          new Promise((found) => {
            const look = () => {
              while (read < seen.length) {
                const event = seen[read++]!;
                if (event.event !== name) continue;
                waiting.delete(look);
                found(event);
                return;
              }
            };
            waiting.add(look);
            look();
          }),
        close: () => asked.destroy(),
      });
    });
    asked.on('error', failed);
    asked.end();
  });
}

function parsed(block: string): Event | null {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at <= 0) continue;
    const name = line.slice(0, at);
    const value = line.slice(at + 1).replace(/^ /, '');
    fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  if (fields['data'] === undefined) return null;
  return { id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: fields['data'] };
}
