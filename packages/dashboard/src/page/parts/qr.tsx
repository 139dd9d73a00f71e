// QR codes, dark on light in both themes, because cameras expect that: one that stands still, and a message as moving
// ones.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { CODE_MS, CODE_SIZES, type CodePart, partsOf, placeText, type Ur } from '../../model/movingCode.ts';
import { partOutline, type QrOutline } from '../../model/qrCode.ts';
import { exchangeTexts } from '../../texts/exchange.ts';
import { Field } from './form.tsx';
import { Actions } from './layout.tsx';
import { Hint } from './text.tsx';

export function QrCode({ outline, label }: { outline: QrOutline; label: string }) {
  const { width, path } = outline;
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${width} ${width}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={path} />
      </svg>
    </div>
  );
}

// A message as moving QR codes for the camera of a device. They stand still on demand, and from the start where the system asks
// for less motion.
export function MovingCode({ message }: { message: Ur }) {
  const texts = exchangeTexts();
  const [size, setSize] = useState<string>(CODE_SIZES[0][0]);
  const [isMoving, setMoving] = useState(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [part, setPart] = useState<CodePart>();
  const parts = useMemo(() => partsOf(message, size), [message, size]);
  const sizes = CODE_SIZES.map(([bytes, name]) => [bytes, texts.codeSizes[name]] as const);
  const next = () => setPart(parts.next().value);
  useEffect(next, [parts]);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(next, CODE_MS);
    return () => clearInterval(timer);
  }, [parts, isMoving]);
  return (
    <div class="moving">
      <Hint text={texts.movingHint} />
      {part && <QrCode outline={partOutline(part.text)} label={texts.movingCode} />}
      <p class="hint">{part && placeText(part)}</p>
      <Actions>
        <button
          type="button"
          class="quiet"
          onClick={() => setMoving(!isMoving)}
          children={isMoving ? texts.pause : texts.goOn}
        />
        {isMoving || <button type="button" onClick={next} children={texts.nextCode} />}
      </Actions>
      <Field label={texts.codeSize} options={sizes} value={size} onText={setSize} />
    </div>
  );
}
