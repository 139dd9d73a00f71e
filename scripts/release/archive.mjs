// Archives whose bytes depend on what is in them alone: names in order, one time for everything, no owner of this machine. tar and
// npm write the modes and owners that files happen to have here, so two releases of the same sources would differ.
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';

/** npm's own, where neither the environment nor git has one. */
const TIME_OF_NPM = 499_162_500;

/** The time, in seconds, of all that a release contains: that of the commit, or what SOURCE_DATE_EPOCH says. */
export function releaseTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) {
    if (!/^\d{1,11}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH is no number of seconds.');
    return Number(given);
  }
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : TIME_OF_NPM;
}

/**
 * What an archive holds, by its name in it:
 * `{ kind: 'file', bytes, runs }` (`runs`: it may be executed), `{ kind: 'folder' }` or `{ kind: 'link', target }`.
 */
const TYPES = { file: '0', link: '2', folder: '5' };
const modeOf = ({ kind, runs }) => (kind === 'link' ? 0o777 : kind === 'folder' || runs ? 0o755 : 0o644);

const BLOCK = 512;
const padding = (length, to) => Buffer.alloc((to - (length % to)) % to);
const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`;

/** POSIX's ustar has 100 bytes for the last part of a name and 155 for what is before it. */
function splitName(name) {
  if (Buffer.byteLength(name) <= 100) return ['', name];
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [before, last] = [name.slice(0, at), name.slice(at + 1)];
    if (last !== '' && Buffer.byteLength(last) <= 100 && Buffer.byteLength(before) <= 155)
      return [before, last];
  }
  throw new Error(`${name} is too long for the archive.`);
}

function header(name, entry, time) {
  const target = entry.kind === 'link' ? entry.target : '';
  if (Buffer.byteLength(target) > 100) throw new Error(`${target} is too long for the archive.`);
  const [before, last] = splitName(entry.kind === 'folder' ? `${name}/` : name);
  const block = Buffer.alloc(BLOCK);
  block.write(last, 0);
  block.write(octal(modeOf(entry), 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(entry.kind === 'file' ? entry.bytes.length : 0, 11), 124);
  block.write(octal(time, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(TYPES[entry.kind], 156);
  block.write(target, 157);
  block.write('ustar\x0000', 257);
  block.write(before, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** `entries`: a map from names to what they are. */
export function tar(entries, time) {
  const names = [...entries.keys()].sort();
  const parts = names.flatMap((name) => {
    const entry = entries.get(name);
    const head = header(name, entry, time);
    return entry.kind === 'file' ? [head, entry.bytes, padding(entry.bytes.length, BLOCK)] : [head];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Node writes no name and no time into the head. The bytes are those of its version of zlib. */
export const gzip = (bytes) => gzipSync(bytes, { level: 9 });

/** The format of static libraries and of Debian's packages: `members` are pairs of a name and its bytes, in order. */
export function ar(members, time) {
  const parts = members.flatMap(([name, bytes]) => {
    if (name.length > 16) throw new Error(`${name} is too long for the archive.`);
    const fields = [name.padEnd(16), `${time}`.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)];
    return [
      Buffer.from(`${fields.join('')}${`${bytes.length}`.padEnd(10)}\`\n`, 'latin1'),
      bytes,
      Buffer.from(bytes.length % 2 === 0 ? '' : '\n'),
    ];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
