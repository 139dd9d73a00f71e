// How much memory the processes of a group use.

import fs from 'node:fs';

const PROC = '/proc';
const BYTES_PER_KB = 1024;

/** In bytes; undefined on systems that do not report it (other than Linux). Shared pages count for each process. */
export function groupMemory(group: number): number | undefined {
  let sum: number | undefined;
  for (const name of entries()) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (groupOf(name) !== group) continue;
      const status = fs.readFileSync(`${PROC}/${name}/status`, 'latin1');
      sum = (sum ?? 0) + Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * BYTES_PER_KB;
    } catch {
      // The process has ended meanwhile.
    }
  }
  return sum;
}

function entries(): readonly string[] {
  try {
    return process.platform === 'linux' ? fs.readdirSync(PROC) : [];
  } catch {
    return [];
  }
}

/** The fields after the name, which is in parentheses and may contain anything: state, parent, group. */
function groupOf(pid: string): number {
  const stat = fs.readFileSync(`${PROC}/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
