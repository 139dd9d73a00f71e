// The camera on the page: what it sees, how many parts of the message are there, and the message when it is whole. The camera is
// on only while this is shown, the page is visible and the message is not whole.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CodeReader, Scanned } from '../../model/codeScan.ts';
import { problemText } from '../../model/problems.ts';
import { deviceTexts } from '../../texts/device.ts';
import { Actions } from '../parts/layout.tsx';
import { Hint, Notice, Problem } from '../parts/text.tsx';
import { closeCamera, openCamera, readCodes } from './camera.ts';

interface ScanProps<T> {
  /** A new one for each time that the camera is on. */
  reader: () => CodeReader<T>;
  /** The button. */
  begin: string;
  /** Receives the message; its failure is shown here. */
  take: (message: T) => unknown;
}

const NOTHING: Scanned<never> = { read: 0, needed: 0 };

export function Scan<T>({ reader, begin, take }: ScanProps<T>) {
  const texts = deviceTexts();
  const video = useRef<HTMLVideoElement>(null);
  /** Counts the times that the camera was turned on; 0: it is off. */
  const [round, setRound] = useState(0);
  const [scanned, setScanned] = useState<Scanned<T>>(NOTHING);
  const [problem, setProblem] = useState<string>();
  const start = () => {
    setScanned(NOTHING);
    setProblem(undefined);
    setRound(round + 1);
  };
  const end = (why?: string) => {
    setRound(0);
    setProblem(why);
  };
  const received = (now: Scanned<T>) => {
    setScanned(now);
    if (now.message === undefined) return;
    end();
    Promise.resolve(now.message)
      .then(take)
      .catch((thrown: unknown) => setProblem(problemText(thrown)));
  };
  useEffect(() => {
    if (round === 0) return;
    const scan = reader();
    let turnOff = () => undefined as unknown;
    let isWanted = true;
    const started = (stream: MediaStream) => {
      if (!isWanted) return closeCamera(stream);
      turnOff = readCodes(video.current!, stream, (text) => received(scan.receive(text)));
      for (const track of stream.getTracks()) track.addEventListener('ended', () => end(texts.unplugged));
    };
    openCamera().then(started, (thrown: unknown) => isWanted && end(problemText(thrown)));
    const hidden = () => document.hidden && end(texts.hidden);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      isWanted = false;
      document.removeEventListener('visibilitychange', hidden);
      turnOff();
    };
  }, [round]);
  const isOn = round > 0;
  return (
    <div class="scan">
      <video ref={video} muted playsInline hidden={!isOn} aria-label={texts.cameraSees} />
      {isOn && <Progress {...scanned} />}
      <Problem text={problem} />
      <Actions>
        {isOn && <button type="button" class="quiet" onClick={() => end()} children={texts.turnOff} />}
        {(!isOn || scanned.needed > 0) && (
          <button type="button" onClick={start} children={isOn ? texts.beginAgain : begin} />
        )}
      </Actions>
    </div>
  );
}

function Progress({ read, needed, note }: Scanned<unknown>) {
  const texts = deviceTexts();
  if (needed === 0) return <Hint role="status" text={note ?? texts.holdCode} />;
  return (
    <>
      <progress aria-label={texts.partsRead} max={needed} value={read} />
      <p class="hint">{texts.parts(read, needed)}</p>
      <Notice role="status" text={note} />
    </>
  );
}
