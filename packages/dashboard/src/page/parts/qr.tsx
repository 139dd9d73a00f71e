// A QR code, dark on light in both themes, because cameras expect that.

import type { QrOutline } from '../../model/qrCode.ts';

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
