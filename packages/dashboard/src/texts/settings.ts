// Texts of the settings: appearance, password, secrets, what is forgotten, and the settings of config.json.

import { inLanguages } from './language.ts';

/** The same in every language. */
export const BACKUP_COMMAND = 'wallet-companion backup wallet.backup';

const EN = {
  appearance: 'Appearance',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  notices: 'Notice of money',
  noticeStates: {
    default:
      'The browser can tell you that money came while you look at something else. It never shows an amount.',
    granted:
      'The browser tells you when money comes while you look at something else, as long as this page is open.',
    denied:
      'The browser does not allow notifications of this page. Its settings for this address can change that.',
  },
  allowNotices: 'Allow notifications',
  moneyCame: 'Money has arrived in your wallet.',
  phraseText: 'Look at it to write it down or to compare. Make sure that nobody sees your screen.',
  showPhrase: 'Show the phrase',
  viewingKey: 'Viewing key',
  viewingKeyText:
    'Anyone who has it sees every payment of this wallet, past and future, and cannot spend. Give it only to people who may see all that.',
  showViewingKey: 'Show the viewing key',
  theViewingKey: 'the viewing key',
  birthday: 'Birthday',
  block: (height: string) => `block ${height}`,
  passphrase: 'BIP-39 passphrase',
  shows: 'Shows',
  showsAll: 'what comes in and goes out',
  showsIncoming: 'only what comes in',
  backup: 'Backup',
  backupText: (at: string | undefined) =>
    at === undefined
      ? 'No backup of everything is known here. The phrase brings back the money; labels, contacts, invoices and prepared payments are in a backup alone.'
      : `Everything was last backed up on ${at}.`,
  backupCommand: 'In a terminal, also while this runs:',
  backupCommandName: 'the command',
  passwordChanged: 'The password was changed.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  device: 'Device that signs',
  versionUnknown: 'version unknown',
  watchAnother: 'Watch another of its accounts',
  about: 'About',
  version: 'Version',
  network: 'Network',
  locksItself: 'Locks itself',
  never: 'never',
  afterIdle: (duration: string) => `after ${duration} without use`,
  confirmations: 'Confirmations needed',
  configHelp: 'These are set in config.json or with "wallet-companion config", never from a page.',
  forgotten: 'What was scanned is forgotten.',
  scanAgain: 'Scan again',
  forget: 'Forget what was scanned',
  forgetText:
    'Keys and password stay. Balance and transactions are unknown until everything has been scanned once more, which can take long.',
  forgetSubmit: 'Forget and begin anew',
};

export type SettingsTexts = typeof EN;

const DE: SettingsTexts = {
  appearance: 'Darstellung',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  notices: 'Hinweis auf Geld',
  noticeStates: {
    default:
      'Der Browser kann Ihnen sagen, dass Geld gekommen ist, während Sie etwas anderes ansehen. Einen Betrag zeigt er nie.',
    granted:
      'Der Browser sagt Ihnen, wenn Geld kommt, während Sie etwas anderes ansehen, solange diese Seite offen ist.',
    denied:
      'Der Browser erlaubt dieser Seite keine Hinweise. In seinen Einstellungen für diese Adresse lässt sich das ändern.',
  },
  allowNotices: 'Hinweise erlauben',
  moneyCame: 'In Ihrer Wallet ist Geld eingegangen.',
  phraseText:
    'Sehen Sie sie an, um sie aufzuschreiben oder zu vergleichen. Achten Sie darauf, dass niemand Ihren Bildschirm sieht.',
  showPhrase: 'Phrase zeigen',
  viewingKey: 'Ansichtsschlüssel',
  viewingKeyText:
    'Wer ihn hat, sieht jede Zahlung dieser Wallet, vergangene und künftige, und kann nichts ausgeben. Geben Sie ihn nur Personen, die das alles sehen dürfen.',
  showViewingKey: 'Ansichtsschlüssel zeigen',
  theViewingKey: 'Ansichtsschlüssel',
  birthday: 'Geburtstag',
  block: (height) => `Block ${height}`,
  passphrase: 'BIP-39-Passphrase',
  shows: 'Zeigt',
  showsAll: 'was eingeht und was hinausgeht',
  showsIncoming: 'nur, was eingeht',
  backup: 'Sicherung',
  backupText: (at) =>
    at === undefined
      ? 'Eine Sicherung von allem ist hier nicht bekannt. Die Phrase bringt das Geld zurück; Namen, Kontakte, Rechnungen und vorbereitete Zahlungen stehen allein in einer Sicherung.'
      : `Alles wurde zuletzt am ${at} gesichert.`,
  backupCommand: 'In einem Terminal, auch während dies läuft:',
  backupCommandName: 'Befehl',
  passwordChanged: 'Das Passwort wurde geändert.',
  changePassword: 'Passwort ändern',
  currentPassword: 'Jetziges Passwort',
  newPassword: 'Neues Passwort',
  device: 'Gerät, das unterschreibt',
  versionUnknown: 'Version unbekannt',
  watchAnother: 'Ein weiteres seiner Konten beobachten',
  about: 'Über dieses Programm',
  version: 'Version',
  network: 'Netz',
  locksItself: 'Sperrt sich',
  never: 'nie',
  afterIdle: (duration) => `wenn sie ${duration} lang nicht benutzt wurde`,
  confirmations: 'Nötige Bestätigungen',
  configHelp: 'Das wird in config.json oder mit „wallet-companion config“ eingestellt, nie auf einer Seite.',
  forgotten: 'Was gescannt war, ist vergessen.',
  scanAgain: 'Neu scannen',
  forget: 'Gescanntes vergessen',
  forgetText:
    'Schlüssel und Passwort bleiben. Guthaben und Transaktionen sind unbekannt, bis alles noch einmal gescannt ist; das kann lange dauern.',
  forgetSubmit: 'Vergessen und neu beginnen',
};

const ES: SettingsTexts = {
  appearance: 'Apariencia',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  notices: 'Aviso de dinero',
  noticeStates: {
    default:
      'El navegador puede avisarle de que ha llegado dinero mientras mira otra cosa. Nunca muestra un importe.',
    granted:
      'El navegador le avisa cuando llega dinero mientras mira otra cosa, mientras esta página esté abierta.',
    denied:
      'El navegador no permite avisos de esta página. Puede cambiarlo en sus ajustes para esta dirección.',
  },
  allowNotices: 'Permitir avisos',
  moneyCame: 'Ha llegado dinero a su monedero.',
  phraseText: 'Véala para apuntarla o compararla. Asegúrese de que nadie ve su pantalla.',
  showPhrase: 'Mostrar la frase',
  viewingKey: 'Clave de visualización',
  viewingKeyText:
    'Quien la tiene ve todos los pagos de este monedero, pasados y futuros, y no puede gastar. Désela solo a quien pueda ver todo eso.',
  showViewingKey: 'Mostrar la clave de visualización',
  theViewingKey: 'la clave de visualización',
  birthday: 'Nacimiento',
  block: (height) => `bloque ${height}`,
  passphrase: 'Contraseña adicional BIP-39',
  shows: 'Muestra',
  showsAll: 'lo que entra y lo que sale',
  showsIncoming: 'solo lo que entra',
  backup: 'Copia de seguridad',
  backupText: (at) =>
    at === undefined
      ? 'Aquí no consta ninguna copia de todo. La frase recupera el dinero; las etiquetas, los contactos, las facturas y los pagos preparados solo están en una copia.'
      : `La última copia de todo es del ${at}.`,
  backupCommand: 'En una terminal, también mientras esto funciona:',
  backupCommandName: 'la orden',
  passwordChanged: 'Se ha cambiado la contraseña.',
  changePassword: 'Cambiar la contraseña',
  currentPassword: 'Contraseña actual',
  newPassword: 'Nueva contraseña',
  device: 'Dispositivo que firma',
  versionUnknown: 'versión desconocida',
  watchAnother: 'Observar otra de sus cuentas',
  about: 'Acerca de',
  version: 'Versión',
  network: 'Red',
  locksItself: 'Se bloquea',
  never: 'nunca',
  afterIdle: (duration) => `tras ${duration} sin uso`,
  confirmations: 'Confirmaciones necesarias',
  configHelp: 'Se ajusta en config.json o con «wallet-companion config», nunca desde una página.',
  forgotten: 'Lo escaneado se ha olvidado.',
  scanAgain: 'Escanear de nuevo',
  forget: 'Olvidar lo escaneado',
  forgetText:
    'Las claves y la contraseña se conservan. El saldo y las transacciones no se conocen hasta que todo se haya escaneado de nuevo, y eso puede tardar mucho.',
  forgetSubmit: 'Olvidar y empezar de nuevo',
};

export const settingsTexts = inLanguages({ en: EN, de: DE, es: ES });
