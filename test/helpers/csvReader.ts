// Readers of CSV that know nothing of how ours is written: one by RFC 4180, and one that does what careless programs do.

/** Records of fields. Throws for what RFC 4180 does not allow. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a quote that is never closed');
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') field += text[at++];
        else break;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error('a bare quote or line feed');
        field += text[at++];
      }
    }
    record.push(field);
    if (text[at] === ',') at++;
    else if (text.startsWith('\r\n', at)) {
      records.push(record);
      record = [];
      at += 2;
    } else throw new Error(`neither comma nor line end after ${field}`);
  }
  if (record.length > 0) throw new Error('no line end at the end');
  return records;
}

/** Cells of a program that splits lines and cells at `separator` wherever they stand, quotes or not. */
export const carelessCells = (text: string, separator: RegExp): string[] =>
  text.split(/[\r\n\v\f\u0085\u2028\u2029]/).flatMap((line) => line.split(separator));
