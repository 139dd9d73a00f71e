// Losses of power in the course of one operation, from the start of the process to its end: at points all over its calls,
// each with a disk that may be left there. Nothing that was answered before may be gone.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { randomNumbers } from '@wallet-companion/base/test/randomNumbers';
import { copyFolder } from '../../helpers/copyFolder.ts';
import { Blocks, World } from '../../truth/support/world.ts';
import type { FaultyFiles } from './faultyFiles.ts';
import { forgetMaker } from './interruptions.ts';
import { Disk, type Drawn, moodFrom, type Recorded, readRecord, writeDrawn } from './lostPower.ts';
import { type Outside, startMadeUpCompanion } from './madeUpCompanion.ts';
import type { Scenario } from './scenario.ts';
import { require, requireWhole } from './truth.ts';

/** Names come back in any order. These alone, the log being empty, are nothing to SQLite, and the next write takes them. */
const LOGS = /\.db-(?:shm|wal)$/;

function requireEmptyLogs(folder: string): void {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const full = names.filter((name) => name.endsWith('-wal') && fs.statSync(path.join(folder, name)).size > 0);
  require(full.length === 0, `a log was not carried over: ${full.join(', ')}`);
}

export interface LossReport {
  /** Changes and syncs of one undisturbed life. */
  readonly calls: number;
  /** Disks that were drawn, and how many of them after the answer. */
  readonly disks: number;
  readonly answered: number;
  /** Those that no other was equal to: each is tried once. */
  readonly different: number;
  readonly faults: readonly string[];
}

interface Life {
  readonly calls: readonly Recorded[];
  /** How many calls there were when the answer was given. */
  readonly answeredAt: number;
  readonly answer: unknown;
  /** How many there were when a transaction left; never: infinity. */
  readonly sentAt: number;
}

/** `room`: an empty folder. `most`: how many disks are tried. The same seed gives the same points and moods. */
export async function losePower(
  files: FaultyFiles,
  scenario: Scenario,
  room: string,
  { most, seed }: { readonly most: number; readonly seed: number },
): Promise<LossReport> {
  const blocks = new Blocks();
  const outside = { blocks, world: new World(blocks) };
  const folder = path.join(room, 'companion');
  fs.mkdirSync(folder);
  await scenario.prepare(folder, outside);
  const untouched = path.join(room, 'untouched');
  copyFolder(folder, untouched);
  // One disk is built up call by call, so the points come in order.
  const disk = new Disk(folder);
  const { calls, answeredAt, answer, sentAt } = await live(files, scenario, folder, outside);
  const chance = randomNumbers(seed);
  // Every third after the answer, wherever that was.
  const points = Array.from({ length: most }, (_, i) => {
    const from = i % 3 === 2 ? answeredAt : 1;
    return from + Math.floor(chance() * (calls.length - from + 1));
  }).sort((a, b) => a - b);
  const faults: string[] = [];
  const seen = new Set<string>();
  let applied = 0;
  let answered = 0;
  for (const [number, point] of points.entries()) {
    for (; applied < point; applied++) disk.apply(calls[applied]!);
    const mood = moodFrom(chance);
    const isAnswered = point >= answeredAt;
    if (isAnswered) answered++;
    const hasSent = point >= sentAt;
    const drawn = disk.draw(mood, chance);
    const key = digestOf(drawn, isAnswered, hasSent);
    if (seen.has(key)) continue;
    seen.add(key);
    const left = path.join(room, `left-${number}`);
    fs.mkdirSync(left, { mode: 0o700 });
    writeDrawn(drawn, left);
    forgetMaker(left);
    // No sync waits for the disk.
    files.watch(left);
    files.count();
    try {
      await requireWhole(scenario, left, outside, {
        answer: isAnswered ? answer : undefined,
        hasSent,
        leaves: LOGS,
      });
      requireEmptyLogs(left);
    } catch (error) {
      const { call, name } = calls[point - 1]!;
      const at = `seed ${seed}, disk ${number}, after ${point} of ${calls.length} (${call} ${name})`;
      const when = isAnswered ? 'answered' : 'not answered';
      faults.push(
        `${at}, ${when}, ${JSON.stringify(mood)}: ${error instanceof Error ? error.message : error}`,
      );
    } finally {
      files.off();
      fs.rmSync(left, { recursive: true });
    }
  }
  for (; applied < calls.length; applied++) disk.apply(calls[applied]!);
  const missed = disk.differences(folder);
  if (missed.length > 0) faults.push(`not recorded: ${missed.join(', ')}`);
  // What the answer promises must be missed where nothing was done.
  if (scenario.promised !== undefined && (await isWhole(scenario, untouched, outside, { answer })))
    faults.push('a disk without the operation has what it answered');
  return { calls: calls.length, disks: most, answered, different: seen.size, faults };
}

function digestOf(drawn: readonly Drawn[], ...reached: readonly boolean[]): string {
  const hash = createHash('sha256').update(JSON.stringify(reached));
  for (const { name, bytes } of drawn)
    hash.update(JSON.stringify([name, bytes?.length ?? null])).update(bytes ?? '');
  return hash.digest('hex');
}

async function isWhole(...disk: Parameters<typeof requireWhole>): Promise<boolean> {
  return requireWhole(...disk).then(
    () => true,
    () => false,
  );
}

/** From the start of a process to its end. */
async function live(files: FaultyFiles, scenario: Scenario, folder: string, outside: Outside): Promise<Life> {
  const record = `${folder}.record`;
  files.watch(folder);
  files.record(record);
  let sentAt = Infinity;
  outside.onSend = () => {
    sentAt = files.recorded();
  };
  try {
    const companion = await startMadeUpCompanion(folder, outside);
    await scenario.before?.(companion);
    const answer = await scenario.run(companion, outside);
    const answeredAt = files.recorded();
    require(answer.ok, `undisturbed: ${JSON.stringify(answer)}`);
    await companion.stop();
    return { calls: readRecord(record), answeredAt, answer: answer.value, sentAt };
  } finally {
    delete outside.onSend;
    files.off();
  }
}
