// A QR code as a drawing: dark on light in both themes, because cameras expect that.

import { qrOutline } from '../../model/qrCode.ts';
import { h, svg } from './dom.ts';

export function qrCode(characters: string, label: string): HTMLElement {
  const { width, path } = qrOutline(characters);
  return h(
    'div',
    { class: 'qr' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${width}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
      svg('path', { d: path }),
    ),
  );
}
