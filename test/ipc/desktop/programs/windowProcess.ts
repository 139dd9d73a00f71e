// A process with the desktop window over a fake link, used by a script in the page (person.js). Prints what was seen as
// one line of JSON. Arguments: where the screenshot goes; the wallet that the window is opened for, and left for the default one.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readDashboard } from '@wallet-companion/dashboard';
import { examples } from '../../../../scripts/generate/examples.ts';
import { type DesktopWindow, openDesktop } from '../../../../src/ipc/desktop/window.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { ok } from '../../../../src/protocol/result.ts';
import { FakeLink } from '../../../helpers/fakeLink.ts';

const [screenshot = '', wallet] = process.argv.slice(2);
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
  const { output: following } = examples['follow.get'];
  link.answerWith('follow.get', () => ok({ ...following, enabled: false, state: 'off' }));
  link.answerWith('follow.set', ({ enabled }) => {
    link.answerWith('sync.status', () => ok(examples['sync.status'].output));
    const follow = { ...following, enabled, state: 'scanning', failure: null } as const;
    link.emit({ event: 'follow.changed', data: follow });
    link.emit({ event: 'sync.progress', data: examples['sync.status'].output.progress! });
    return ok(follow);
  });
  const faults: string[] = [];
  const window = await openDesktop({
    link,
    files: readDashboard(),
    requestId: () => 'window',
    onFault: (fault) => faults.push(String(fault)),
    wallet,
  });
  const page = new Page(window);
  const hold = (total_zatoshi: number, of?: string) => {
    link.answerWith('balance.get', () => ok({ ...examples['balance.get'].output, total_zatoshi }));
    link.emit({ event: 'note.received', data: examples['notes.list'].output.notes[0]! }, of);
  };
  const end = async (seen: Seen) => {
    const resources = process.getActiveResourcesInfo();
    window.close();
    await window.closed;
    const asks = link.calls.map(({ name, context }) => [name, context.wallet ?? 'default']);
    process.stdout.write(`${JSON.stringify({ seen, faults, resources, asks })}\n`);
    process.exit(0);
  };
  if (wallet !== undefined) {
    link.answerWith('balance.get', () => ok(examples['balance.get'].output));
    await page.until('savings');
    hold(300_000_000, wallet);
    await page.until('wallet');
    hold(700_000_000);
    return end(await page.until('done'));
  }
  await page.until('progress');
  link.answerWith('balance.get', () => ok(examples['balance.get'].output));
  link.answerWith('sync.status', () => ok({ ...examples['sync.status'].output, ...idle }));
  link.emit({ event: 'follow.changed', data: { ...following, enabled: true, state: 'caught_up' } });
  link.emit({
    event: 'sync.finished',
    data: { ok: true, summary: { ...examples['sync.run'].output, caught_up: true } },
  });
  await page.until('waiting');
  hold(700_000_000);
  await page.until('server');
  await page.picture(screenshot);
  await page.until('locking');
  unlocked = false;
  link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  const seen = await page.until('done');
  await end(seen);
}

try {
  await main();
} catch (thrown) {
  const code = thrown instanceof CompanionError ? thrown.code : 'FAULT';
  process.stdout.write(`${JSON.stringify({ code, detail: String(thrown) })}\n`);
  process.exit(1);
}
