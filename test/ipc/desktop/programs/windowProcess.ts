// A process with the desktop window over a fake link, used by a script in the page (person.js). Prints what was seen as
// one line of JSON. Argument: where the screenshot goes.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readDashboard } from '@wallet-companion/dashboard';
import { examples } from '../../../../scripts/generate/examples.ts';
import { type DesktopWindow, openDesktop } from '../../../../src/ipc/desktop/window.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { ok } from '../../../../src/protocol/result.ts';
import { FakeLink } from '../../../helpers/fakeLink.ts';

const [screenshot = ''] = process.argv.slice(2);
const PATIENCE_MS = 1_800_000;
const POLL_MS = 50;

type Seen = Readonly<Record<string, string>>;

/**
 * What only a test does with a page. The script is added, not evaluated: taking values from WebKit would start its
 * script engine on koffi's stack, which aborts.
 */
class Page {
  readonly #title: () => string | null;
  readonly #picture: (file: string) => Promise<void>;

  constructor({ webkit: { koffi, libraries }, view }: DesktopWindow) {
    const { webkit } = libraries;
    const manager = webkit.func('void *webkit_web_view_get_user_content_manager(void *view)')(view);
    const newScript = webkit.func(
      'void *webkit_user_script_new(str source, int frames, int time, void *allow, void *block)',
    );
    const source = readFileSync('test/ipc/desktop/programs/person.js', 'utf8');
    const topFrame = 1;
    const atDocumentEnd = 1;
    const script = newScript(source, topFrame, atDocumentEnd, null, null);
    webkit.func('void webkit_user_content_manager_add_script(void *manager, void *script)')(manager, script);
    const title = webkit.func('str webkit_web_view_get_title(void *view)');
    this.#title = () => title(view);
    const snapshot = webkit.func(
      'void webkit_web_view_get_snapshot(void *view, int region, int options, void *cancel, void *ready, void *user)',
    );
    const taken = webkit.func(
      'void *webkit_web_view_get_snapshot_finish(void *view, void *result, void *error)',
    );
    const write = koffi.load('libcairo.so.2').func('int cairo_surface_write_to_png(void *surface, str file)');
    const readyType = koffi.pointer(koffi.proto('void', ['void *', 'void *', 'void *']));
    this.#picture = (file) =>
      new Promise((resolve) => {
        const ready = koffi.register((_view: unknown, result: unknown) => {
          write(taken(view, result, null), file);
          resolve();
        }, readyType);
        snapshot(view, 0, 0, null, ready, null);
      });
  }

  /** Resolves when the person has seen this. */
  async until(name: string): Promise<Seen> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const title = this.#title() ?? '';
      const seen = title.startsWith('{') ? (JSON.parse(title) as Seen) : {};
      if (seen[name] !== undefined) return seen;
      if (performance.now() > end) throw new Error(`${name} was never seen: ${title}`);
      await pause(POLL_MS);
    }
  }

  picture(file: string): Promise<void> {
    return this.#picture(file);
  }
}

async function main(): Promise<void> {
  const link = new FakeLink();
  let unlocked = false;
  let scanned: () => void = () => {};
  link.answerWith('wallet.status', () => ok({ ...examples['wallet.status'].output, unlocked }));
  link.answerWith('wallet.unlock', ({ password }) => {
    if (password !== 'correct horse')
      return { ok: false, error: { code: 'WRONG_PASSWORD', detail: 'The password is wrong.' } };
    unlocked = true;
    return ok(examples['wallet.unlock'].output);
  });
  link.answerWith('config.get', () => ok({ ...examples['config.get'].output, auto_lock_seconds: 0 }));
  const nothing = { as_of_height: null, as_of_hash: null, complete: false, total_zatoshi: 0 };
  link.answerWith('balance.get', () => ok({ ...examples['balance.get'].output, ...nothing }));
  const idle = { syncing: false, progress: null, last_error: null };
  link.answerWith('sync.status', () => ok({ ...examples['sync.status'].output, ...idle }));
  link.answerWith('sync.run', async () => {
    link.answerWith('sync.status', () => ok(examples['sync.status'].output));
    await new Promise<void>((resolve) => {
      scanned = resolve;
    });
    link.answerWith('balance.get', () => ok(examples['balance.get'].output));
    link.answerWith('sync.status', () => ok({ ...examples['sync.status'].output, ...idle }));
    return ok({ ...examples['sync.run'].output, caught_up: true });
  });
  const faults: string[] = [];
  const window = await openDesktop({
    link,
    files: readDashboard(),
    requestId: () => 'window',
    onFault: (fault) => faults.push(String(fault)),
  });
  const page = new Page(window);
  await page.until('progress');
  scanned();
  await page.until('waiting');
  link.answerWith('balance.get', () => ok({ ...examples['balance.get'].output, total_zatoshi: 700_000_000 }));
  link.emit({ event: 'note.received', data: examples['notes.list'].output.notes[0]! });
  await page.until('server');
  await page.picture(screenshot);
  await page.until('locking');
  unlocked = false;
  link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  const seen = await page.until('done');
  const resources = process.getActiveResourcesInfo();
  window.close();
  await window.closed;
  const calls = link.calls.map((call) => call.name);
  process.stdout.write(`${JSON.stringify({ seen, faults, resources, calls })}\n`);
  process.exit(0);
}

try {
  await main();
} catch (thrown) {
  const code = thrown instanceof CompanionError ? thrown.code : 'FAULT';
  process.stdout.write(`${JSON.stringify({ code, detail: String(thrown) })}\n`);
  process.exit(1);
}
