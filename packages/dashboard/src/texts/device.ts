// Texts of the page for devices: camera, codes, Ledger, accounts, signatures, and refunds.

import { inLanguages } from './language.ts';

const EN = {
  title: 'Wallet Companion',
  back: 'Back to the dashboard',
  otherDevice: 'The camera sees a code that is not from a signing device.',
  otherType: 'The camera sees codes of a device, and they are for something else than this.',
  otherMessage:
    'The camera sees codes of two messages. Show it one device alone, or begin again with the other one.',
  noAddressCode: 'The camera sees a code that has no address.',
  cameraRefused: 'The browser does not let this page use the camera: allow it for this address.',
  cameraMissing: 'There is no camera on this machine.',
  cameraBusy: 'The camera cannot be opened: another program may be using it.',
  cameraUnknown: 'This browser has no camera for the page.',
  fileRemains: 'What the device answers can also be taken as a file.',
  hidden: 'The camera was turned off because the page was hidden.',
  unplugged: 'The camera was disconnected.',
  cameraSees: 'What the camera sees',
  turnOff: 'Turn the camera off',
  beginAgain: 'Begin again',
  holdCode: 'Hold the code before the camera.',
  partsRead: 'Parts read',
  parts: (read: number, needed: number) => `${read} of ${needed} parts`,

  noHid: 'This browser cannot speak to a Ledger: Chromium, Edge or Opera can.',
  ledgerAccount: 'Account on the Ledger',
  firstAccount: 'The first one is 0.',
  noAccount: 'An account is a number from 0 on.',
  sending: (sent: number, total: number) => `Sending: ${sent} of ${total}`,
  review: 'Compare what the Ledger shows, and agree there.',
  signing: 'The Ledger signs…',

  ownKeys: 'The wallet here has keys of its own. On the dashboard, a name in the address makes another one.',
  byCamera: 'By camera',
  byCameraText:
    'For a Keystone and other devices that show codes: choose there to connect a software wallet, then hold the device before the camera.',
  scanAccounts: "Scan the device's accounts",
  byCable: 'By cable',
  byCableText:
    'For a Ledger: connect it, unlock it and open its Zcash app. It shows the viewing key and asks.',
  connect: 'Connect the Ledger',
  watchMore: 'Watch one account more',
  watchAccount: 'Watch an account',
  watchIt: 'Watch it',
  account: 'Account',
  accountChoice: (number: number, name: string | null) => `Account ${number}${name ? `: ${name}` : ''}`,
  noAccounts: 'The device shows no account. Choose one there first.',
  unknownForm: 'The device shows its accounts in an unknown form.',

  answer: "The device's answer",
  answerText: 'After you agreed on the device, it shows its answer as codes. Hold it before the camera.',
  scanAnswer: "Scan the device's answer",
  pays: 'Pays',
  to: 'to',
  ledger: 'A Ledger',
  ledgerText: 'Connect it, unlock it and open its Zcash app. It shows the payment before it signs.',
  signWithLedger: 'Sign with the Ledger',
  signatures: "The device's signatures",
  signaturesOf: (payments: string) => `For ${payments}. `,
  scanSignatures: "Scan the device's signatures",

  refund: 'Refund',
  writtenAddress:
    'The payment came with an address. Anybody who pays can write one: compare it with the customer.',
  useAddress: 'Use this address',
  scanAddress: 'Scan it with the camera',
  prepareRefund: 'Prepare the refund',
  customerAddress: 'Address of the customer',
  customerAddressHelp: 'Type it, or read its code with a hand scanner or the camera.',
  allOfIt: (amount: string) => `Empty: all of it, ${amount}`,
  refundHint: 'You look at it and sign it next. The fee is added.',
};

export type DeviceTexts = typeof EN;

const DE: DeviceTexts = {
  title: 'Wallet Companion',
  back: 'Zurück zur Übersicht',
  otherDevice: 'Die Kamera sieht einen Code, der nicht von einem unterschreibenden Gerät stammt.',
  otherType: 'Die Kamera sieht Codes eines Geräts, aber sie sind für etwas anderes als dies.',
  otherMessage:
    'Die Kamera sieht Codes zweier Nachrichten. Zeigen Sie ihr nur ein Gerät, oder beginnen Sie mit dem anderen neu.',
  noAddressCode: 'Die Kamera sieht einen Code ohne Adresse.',
  cameraRefused:
    'Der Browser lässt diese Seite die Kamera nicht benutzen: Erlauben Sie es für diese Adresse.',
  cameraMissing: 'An diesem Rechner ist keine Kamera.',
  cameraBusy: 'Die Kamera lässt sich nicht öffnen: Vielleicht benutzt sie ein anderes Programm.',
  cameraUnknown: 'Dieser Browser hat keine Kamera für die Seite.',
  fileRemains: 'Die Antwort des Geräts lässt sich auch als Datei übernehmen.',
  hidden: 'Die Kamera wurde ausgeschaltet, weil die Seite verdeckt war.',
  unplugged: 'Die Kamera wurde getrennt.',
  cameraSees: 'Was die Kamera sieht',
  turnOff: 'Kamera ausschalten',
  beginAgain: 'Neu beginnen',
  holdCode: 'Halten Sie den Code vor die Kamera.',
  partsRead: 'Gelesene Teile',
  parts: (read, needed) => `${read} von ${needed} Teilen`,

  noHid: 'Dieser Browser kann nicht mit einem Ledger sprechen: Chromium, Edge oder Opera können es.',
  ledgerAccount: 'Konto auf dem Ledger',
  firstAccount: 'Das erste ist 0.',
  noAccount: 'Ein Konto ist eine Zahl ab 0.',
  sending: (sent, total) => `Wird gesendet: ${sent} von ${total}`,
  review: 'Vergleichen Sie, was der Ledger zeigt, und stimmen Sie dort zu.',
  signing: 'Der Ledger unterschreibt…',

  ownKeys:
    'Die Wallet hier hat eigene Schlüssel. In der Übersicht legt ein Name in der Adresse eine weitere an.',
  byCamera: 'Mit der Kamera',
  byCameraText:
    'Für einen Keystone und andere Geräte, die Codes zeigen: Wählen Sie dort die Verbindung zu einer Software-Wallet und halten Sie das Gerät vor die Kamera.',
  scanAccounts: 'Konten des Geräts scannen',
  byCable: 'Mit dem Kabel',
  byCableText:
    'Für einen Ledger: Schließen Sie ihn an, entsperren Sie ihn und öffnen Sie seine Zcash-App. Er zeigt den Ansichtsschlüssel und fragt.',
  connect: 'Ledger verbinden',
  watchMore: 'Ein weiteres Konto beobachten',
  watchAccount: 'Ein Konto beobachten',
  watchIt: 'Beobachten',
  account: 'Konto',
  accountChoice: (number, name) => `Konto ${number}${name ? `: ${name}` : ''}`,
  noAccounts: 'Das Gerät zeigt kein Konto. Wählen Sie dort erst eines.',
  unknownForm: 'Das Gerät zeigt seine Konten in einer unbekannten Form.',

  answer: 'Antwort des Geräts',
  answerText:
    'Nachdem Sie auf dem Gerät zugestimmt haben, zeigt es seine Antwort als Codes. Halten Sie es vor die Kamera.',
  scanAnswer: 'Antwort des Geräts scannen',
  pays: 'Zahlt',
  to: 'an',
  ledger: 'Ein Ledger',
  ledgerText:
    'Schließen Sie ihn an, entsperren Sie ihn und öffnen Sie seine Zcash-App. Er zeigt die Zahlung, bevor er unterschreibt.',
  signWithLedger: 'Mit dem Ledger unterschreiben',
  signatures: 'Unterschriften des Geräts',
  signaturesOf: (payments) => `Für ${payments}. `,
  scanSignatures: 'Unterschriften des Geräts scannen',

  refund: 'Erstattung',
  writtenAddress:
    'Mit der Zahlung kam eine Adresse. Wer zahlt, kann eine beliebige schreiben: Vergleichen Sie sie mit dem Kunden.',
  useAddress: 'Diese Adresse verwenden',
  scanAddress: 'Mit der Kamera scannen',
  prepareRefund: 'Erstattung vorbereiten',
  customerAddress: 'Adresse des Kunden',
  customerAddressHelp: 'Tippen Sie sie ein, oder lesen Sie ihren Code mit einem Handscanner oder der Kamera.',
  allOfIt: (amount) => `Leer: alles, ${amount}`,
  refundHint: 'Danach sehen Sie sie an und unterschreiben sie. Die Gebühr kommt hinzu.',
};

const ES: DeviceTexts = {
  title: 'Wallet Companion',
  back: 'Volver al panel',
  otherDevice: 'La cámara ve un código que no es de un dispositivo que firma.',
  otherType: 'La cámara ve códigos de un dispositivo, pero son para otra cosa.',
  otherMessage:
    'La cámara ve códigos de dos mensajes. Muéstrele un solo dispositivo, o empiece de nuevo con el otro.',
  noAddressCode: 'La cámara ve un código que no tiene dirección.',
  cameraRefused: 'El navegador no deja a esta página usar la cámara: permítalo para esta dirección.',
  cameraMissing: 'Este equipo no tiene cámara.',
  cameraBusy: 'No se puede abrir la cámara: quizá la use otro programa.',
  cameraUnknown: 'Este navegador no tiene cámara para la página.',
  fileRemains: 'La respuesta del dispositivo también se puede recibir como archivo.',
  hidden: 'La cámara se apagó porque la página quedó oculta.',
  unplugged: 'La cámara se desconectó.',
  cameraSees: 'Lo que ve la cámara',
  turnOff: 'Apagar la cámara',
  beginAgain: 'Empezar de nuevo',
  holdCode: 'Ponga el código delante de la cámara.',
  partsRead: 'Partes leídas',
  parts: (read, needed) => `${read} de ${needed} partes`,

  noHid: 'Este navegador no puede hablar con un Ledger: Chromium, Edge u Opera sí.',
  ledgerAccount: 'Cuenta en el Ledger',
  firstAccount: 'La primera es 0.',
  noAccount: 'Una cuenta es un número a partir de 0.',
  sending: (sent, total) => `Enviando: ${sent} de ${total}`,
  review: 'Compare lo que muestra el Ledger y acepte allí.',
  signing: 'El Ledger firma…',

  ownKeys:
    'El monedero de aquí tiene claves propias. En el panel, un nombre en la dirección crea otro monedero.',
  byCamera: 'Con la cámara',
  byCameraText:
    'Para un Keystone y otros dispositivos que muestran códigos: elija allí conectar un monedero de software y póngalo delante de la cámara.',
  scanAccounts: 'Escanear las cuentas del dispositivo',
  byCable: 'Con cable',
  byCableText:
    'Para un Ledger: conéctelo, desbloquéelo y abra su aplicación Zcash. Muestra la clave de visualización y pregunta.',
  connect: 'Conectar el Ledger',
  watchMore: 'Observar una cuenta más',
  watchAccount: 'Observar una cuenta',
  watchIt: 'Observarla',
  account: 'Cuenta',
  accountChoice: (number, name) => `Cuenta ${number}${name ? `: ${name}` : ''}`,
  noAccounts: 'El dispositivo no muestra ninguna cuenta. Elija antes una allí.',
  unknownForm: 'El dispositivo muestra sus cuentas en una forma desconocida.',

  answer: 'Respuesta del dispositivo',
  answerText:
    'Después de aceptar en el dispositivo, este muestra su respuesta como códigos. Póngalo delante de la cámara.',
  scanAnswer: 'Escanear la respuesta del dispositivo',
  pays: 'Paga',
  to: 'a',
  ledger: 'Un Ledger',
  ledgerText: 'Conéctelo, desbloquéelo y abra su aplicación Zcash. Muestra el pago antes de firmar.',
  signWithLedger: 'Firmar con el Ledger',
  signatures: 'Firmas del dispositivo',
  signaturesOf: (payments) => `Para ${payments}. `,
  scanSignatures: 'Escanear las firmas del dispositivo',

  refund: 'Reembolso',
  writtenAddress:
    'Con el pago vino una dirección. Quien paga puede escribir cualquiera: compárela con el cliente.',
  useAddress: 'Usar esta dirección',
  scanAddress: 'Escanearla con la cámara',
  prepareRefund: 'Preparar el reembolso',
  customerAddress: 'Dirección del cliente',
  customerAddressHelp: 'Escríbala, o lea su código con un lector de mano o la cámara.',
  allOfIt: (amount) => `Vacío: todo, ${amount}`,
  refundHint: 'Después lo revisa y lo firma. La comisión se añade.',
};

export const deviceTexts = inLanguages({ en: EN, de: DE, es: ES });
