// The camera, and the worker that reads its frames: one frame at a time, so that a slow machine drops frames instead of
// collecting them.

import { Objection } from '../../model/problems.ts';
import { deviceTexts } from '../../texts/device.ts';

const REFUSALS = {
  NotAllowedError: 'cameraRefused',
  NotFoundError: 'cameraMissing',
  NotReadableError: 'cameraBusy',
} as const;

export async function openCamera(): Promise<MediaStream> {
  const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (thrown) {
    const texts = deviceTexts();
    const name = thrown instanceof DOMException ? (thrown.name as keyof typeof REFUSALS) : undefined;
    const reason = name !== undefined && Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : 'cameraUnknown';
    throw new Objection(`${texts[reason]} ${texts.fileRemains}`);
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

interface ScriptUrls {
  createScriptURL(url: string): string;
}
/** Chromium starts a worker only with an address from a policy that the page's own policy names. */
const trusted = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: ScriptUrls): ScriptUrls };
};

const SCANNER = new URL('dashboard/scanner.js', location.href).href;
const scannerUrl = (
  trusted.trustedTypes?.createPolicy('scanner', { createScriptURL: () => SCANNER }) ?? {
    createScriptURL: () => SCANNER,
  }
).createScriptURL(SCANNER);

/** Shows the stream in `video` and gives the text of each code in it to `read`, until it is stopped. */
export function readCodes(
  video: HTMLVideoElement,
  stream: MediaStream,
  read: (text: string) => void,
): () => void {
  const worker = new Worker(scannerUrl, { type: 'module' });
  let isStopped = false;
  const next = () => {
    if (!isStopped) video.requestVideoFrameCallback(() => void send());
  };
  const send = async () => {
    // A frame that cannot be taken, as at the end of the stream, is one that nobody has seen.
    const frame = await createImageBitmap(video).catch(() => undefined);
    if (isStopped || frame === undefined) return next();
    worker.postMessage(frame, [frame]);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
    if (isStopped) return;
    if (data !== undefined) read(data);
    next();
  });
  video.srcObject = stream;
  void video.play().catch(() => undefined);
  next();
  return () => {
    isStopped = true;
    worker.terminate();
    video.srcObject = null;
    closeCamera(stream);
  };
}
