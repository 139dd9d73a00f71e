// The lines of programs that go on running.

export {
  allWritten,
  isLive,
  isReaderGone,
  LineWriter,
  lastLines,
  onReaderGone,
  writeWhole,
} from '../terminal/lineWriter.ts';
