// Texts of a payment on its way to what signs it and back: as a file, as text, and as moving codes.

import { inLanguages } from './language.ts';

const EN = {
  saveFile: 'Save as a file',
  showText: 'Show as text',
  thePczt: 'the PCZT',
  tooLarge: 'This file is too large for a PCZT.',
  noPcztFile: 'This file is no PCZT, neither as bytes nor in base64.',
  noPcztText: 'This is no PCZT in base64.',
  returned: 'The file that came back: choose it, or drop it here',
  asText: 'It came back as text',
  takeIt: 'Take it',
  theText: 'The text',

  movingHint:
    'Hold the camera of the device to this until it has all parts. What it answers comes back by the camera or as a file.',
  movingCode: 'Moving QR code of the payment',
  pause: 'Pause',
  goOn: 'Go on',
  nextCode: 'Next code',
  codeSize: 'Size of the codes',
  codeSizes: { usual: 'Usual', dense: 'Fewer, dense ones', coarse: 'More, coarse ones' },
  part: (number: number, total: number) => `Part ${number} of ${total}`,
  mixture: (number: number, total: number) => `Part ${number}, a mixture of the ${total}`,
};

export type ExchangeTexts = typeof EN;

const DE: ExchangeTexts = {
  saveFile: 'Als Datei speichern',
  showText: 'Als Text zeigen',
  thePczt: 'PCZT',
  tooLarge: 'Diese Datei ist für eine PCZT zu groß.',
  noPcztFile: 'Diese Datei ist keine PCZT, weder als Bytes noch in Base64.',
  noPcztText: 'Das ist keine PCZT in Base64.',
  returned: 'Die Datei, die zurückkam: wählen oder hier ablegen',
  asText: 'Sie kam als Text zurück',
  takeIt: 'Übernehmen',
  theText: 'Der Text',

  movingHint:
    'Halten Sie die Kamera des Geräts davor, bis es alle Teile hat. Seine Antwort kommt über die Kamera oder als Datei zurück.',
  movingCode: 'Bewegter QR-Code der Zahlung',
  pause: 'Pause',
  goOn: 'Weiter',
  nextCode: 'Nächster Code',
  codeSize: 'Größe der Codes',
  codeSizes: { usual: 'Üblich', dense: 'Weniger, dichte', coarse: 'Mehr, grobe' },
  part: (number, total) => `Teil ${number} von ${total}`,
  mixture: (number, total) => `Teil ${number}, eine Mischung der ${total}`,
};

const ES: ExchangeTexts = {
  saveFile: 'Guardar como archivo',
  showText: 'Mostrar como texto',
  thePczt: 'el PCZT',
  tooLarge: 'Este archivo es demasiado grande para un PCZT.',
  noPcztFile: 'Este archivo no es un PCZT, ni en bytes ni en base64.',
  noPcztText: 'Esto no es un PCZT en base64.',
  returned: 'El archivo que volvió: elíjalo o suéltelo aquí',
  asText: 'Volvió como texto',
  takeIt: 'Usarlo',
  theText: 'El texto',

  movingHint:
    'Ponga la cámara del dispositivo delante hasta que tenga todas las partes. Su respuesta vuelve por la cámara o como archivo.',
  movingCode: 'Código QR en movimiento del pago',
  pause: 'Pausa',
  goOn: 'Seguir',
  nextCode: 'Código siguiente',
  codeSize: 'Tamaño de los códigos',
  codeSizes: { usual: 'Habitual', dense: 'Menos y densos', coarse: 'Más y gruesos' },
  part: (number, total) => `Parte ${number} de ${total}`,
  mixture: (number, total) => `Parte ${number}, una mezcla de las ${total}`,
};

export const exchangeTexts = inLanguages({ en: EN, de: DE, es: ES });
