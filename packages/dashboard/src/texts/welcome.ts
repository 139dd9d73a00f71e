// Texts of a companion without a wallet: creating, restoring and watching one, and its birthday.

import { inLanguages } from './language.ts';

const EN = {
  noWallet: 'There is no wallet here yet',
  noWalletNamed: (name: string) => `There is no wallet named ${name} yet`,
  intro:
    'The keys stay on this machine, in a file that only your password opens. This wallet watches and counts; it pays only with the password that you type for that payment, with a device, or within an allowance that you set. Whoever has this computer and the password can pay as you do: keep larger sums on a device.',
  create: 'Create a new wallet',
  createText: 'You get a recovery phrase to write down.',
  restore: 'Restore a wallet',
  restoreText: 'You have a recovery phrase of 12 to 24 words.',
  watch: 'Watch a wallet',
  watchText: 'You have a viewing key, and no phrase.',
  device: "Watch a device's accounts",
  deviceText: 'You have a Keystone, a Ledger or another device that signs.',
  back: 'Back',

  passwordHelp: 'It protects the wallet on this machine. Nobody can reset it.',
  createSubmit: 'Create wallet',
  phraseTitle: 'Your recovery phrase',
  phraseText:
    'Write these words down on paper, in this order. They are the wallet: anyone who has them has the money, and if this machine is lost, they are the only way back.',
  phraseHint:
    'Do not photograph them or keep them in a file. Later they are only shown again with your password.',
  written: 'I have written it down',
  checkTitle: 'Check what you wrote',
  checkText: 'Type these words from your paper. That way you know that it can be read.',
  check: 'Check',
  skip: 'Skip the check',
  word: (number: number) => `Word ${number}`,
  notConfirmed: 'Is your recovery phrase written down?',
  notConfirmedText:
    'Nothing shows that it is. Without it, a lost or broken disk is lost money. Write it on paper, then give three of its words.',
  seePhrase: 'See the phrase in the settings',
  haveWritten: 'I have it on paper',
  askMe: 'Ask me three words',
  confirmed: 'The words are right.',
  otherWord: (number: number) =>
    `Word ${number} is a different one. Look at your paper again. If it is wrong there: skip the check, and look the phrase up in the settings with your password.`,

  restoreSubmit: 'Restore wallet',
  phraseHelp: '12 to 24 words with spaces between. Capitals do not matter.',
  hasPassphrase: 'There was a passphrase',
  passphrase: 'BIP-39 passphrase',
  passphraseHelp: 'Only if you chose one together with the phrase. Most wallets have none.',
  watchSubmit: 'Watch wallet',
  viewingKey: 'Viewing key',
  viewingKeyHelp: 'A unified viewing key (uview…, uivk…) or a Sapling one (zxviews…).',
  keyPasswordHelp: 'It protects the viewing key on this machine.',
  newPassword: 'New password',
  birthday: 'Birthday',
  birthdayHelp:
    'A month or day before the first payment, or a block height. Left empty, everything since 2018 is read, which takes long.',
  noBirthday: 'The birthday is a month such as 2021-06, or a block height such as 2900000.',
};

export type WelcomeTexts = typeof EN;

const DE: WelcomeTexts = {
  noWallet: 'Hier gibt es noch keine Wallet',
  noWalletNamed: (name) => `Es gibt noch keine Wallet namens ${name}`,
  intro:
    'Die Schlüssel bleiben auf diesem Rechner, in einer Datei, die nur Ihr Passwort öffnet. Diese Wallet beobachtet und zählt; sie zahlt nur mit dem Passwort, das Sie für die jeweilige Zahlung eingeben, mit einem Gerät oder in einem Rahmen, den Sie setzen. Wer diesen Rechner und das Passwort hat, kann zahlen wie Sie: Größere Beträge gehören auf ein Gerät.',
  create: 'Neue Wallet erstellen',
  createText: 'Sie erhalten eine Wiederherstellungsphrase zum Aufschreiben.',
  restore: 'Wallet wiederherstellen',
  restoreText: 'Sie haben eine Wiederherstellungsphrase aus 12 bis 24 Wörtern.',
  watch: 'Wallet beobachten',
  watchText: 'Sie haben einen Ansichtsschlüssel und keine Phrase.',
  device: 'Konten eines Geräts beobachten',
  deviceText: 'Sie haben einen Keystone, einen Ledger oder ein anderes Gerät, das unterschreibt.',
  back: 'Zurück',

  passwordHelp: 'Es schützt die Wallet auf diesem Rechner. Niemand kann es zurücksetzen.',
  createSubmit: 'Wallet erstellen',
  phraseTitle: 'Ihre Wiederherstellungsphrase',
  phraseText:
    'Schreiben Sie diese Wörter in dieser Reihenfolge auf Papier. Sie sind die Wallet: Wer sie hat, hat das Geld, und wenn dieser Rechner verloren geht, sind sie der einzige Weg zurück.',
  phraseHint:
    'Fotografieren Sie sie nicht und legen Sie sie in keiner Datei ab. Später werden sie nur mit Ihrem Passwort noch einmal gezeigt.',
  written: 'Ich habe sie aufgeschrieben',
  checkTitle: 'Prüfen Sie, was Sie geschrieben haben',
  checkText: 'Tippen Sie diese Wörter von Ihrem Papier ab. So wissen Sie, dass es lesbar ist.',
  check: 'Prüfen',
  skip: 'Ohne Prüfung weiter',
  word: (number) => `Wort ${number}`,
  notConfirmed: 'Steht Ihre Wiederherstellungsphrase auf Papier?',
  notConfirmedText:
    'Nichts zeigt das bisher. Ohne sie ist mit dem Datenträger auch das Geld verloren. Schreiben Sie sie auf Papier und nennen Sie dann drei ihrer Wörter.',
  seePhrase: 'Die Phrase in den Einstellungen ansehen',
  haveWritten: 'Ich habe sie auf Papier',
  askMe: 'Drei Wörter abfragen',
  confirmed: 'Die Wörter stimmen.',
  otherWord: (number) =>
    `Wort ${number} lautet anders. Sehen Sie noch einmal auf Ihr Papier. Ist es dort falsch, so gehen Sie ohne Prüfung weiter und sehen Sie die Phrase mit Ihrem Passwort in den Einstellungen nach.`,

  restoreSubmit: 'Wallet wiederherstellen',
  phraseHelp: '12 bis 24 Wörter mit Leerzeichen dazwischen. Großschreibung ist egal.',
  hasPassphrase: 'Es gab eine Passphrase',
  passphrase: 'BIP-39-Passphrase',
  passphraseHelp: 'Nur wenn Sie zur Phrase eine gewählt haben. Die meisten Wallets haben keine.',
  watchSubmit: 'Wallet beobachten',
  viewingKey: 'Ansichtsschlüssel',
  viewingKeyHelp:
    'Ein vereinheitlichter Ansichtsschlüssel (uview…, uivk…) oder einer von Sapling (zxviews…).',
  keyPasswordHelp: 'Es schützt den Ansichtsschlüssel auf diesem Rechner.',
  newPassword: 'Neues Passwort',
  birthday: 'Geburtstag',
  birthdayHelp:
    'Ein Monat oder Tag vor der ersten Zahlung, oder eine Blockhöhe. Bleibt das Feld leer, wird alles seit 2018 gelesen; das dauert lange.',
  noBirthday: 'Der Geburtstag ist ein Monat wie 2021-06 oder eine Blockhöhe wie 2900000.',
};

const ES: WelcomeTexts = {
  noWallet: 'Aquí aún no hay ningún monedero',
  noWalletNamed: (name) => `Aún no hay ningún monedero llamado ${name}`,
  intro:
    'Las claves se quedan en este equipo, en un archivo que solo abre su contraseña. Este monedero observa y cuenta; solo paga con la contraseña que usted escribe para ese pago, con un dispositivo o dentro de un límite que usted fija. Quien tenga este equipo y la contraseña puede pagar como usted: guarde las sumas mayores en un dispositivo.',
  create: 'Crear un monedero nuevo',
  createText: 'Recibirá una frase de recuperación para apuntarla.',
  restore: 'Restaurar un monedero',
  restoreText: 'Tiene una frase de recuperación de 12 a 24 palabras.',
  watch: 'Observar un monedero',
  watchText: 'Tiene una clave de visualización y ninguna frase.',
  device: 'Observar las cuentas de un dispositivo',
  deviceText: 'Tiene un Keystone, un Ledger u otro dispositivo que firma.',
  back: 'Atrás',

  passwordHelp: 'Protege el monedero en este equipo. Nadie puede restablecerla.',
  createSubmit: 'Crear el monedero',
  phraseTitle: 'Su frase de recuperación',
  phraseText:
    'Apunte estas palabras en papel, en este orden. Son el monedero: quien las tiene, tiene el dinero, y si este equipo se pierde, son el único camino de vuelta.',
  phraseHint:
    'No las fotografíe ni las guarde en un archivo. Más tarde solo se vuelven a mostrar con su contraseña.',
  written: 'Ya la he apuntado',
  checkTitle: 'Compruebe lo que ha escrito',
  checkText: 'Escriba estas palabras desde su papel. Así sabe que se puede leer.',
  check: 'Comprobar',
  skip: 'Omitir la comprobación',
  word: (number) => `Palabra ${number}`,
  notConfirmed: '¿Tiene su frase de recuperación en papel?',
  notConfirmedText:
    'Nada lo demuestra todavía. Sin ella, si el disco se pierde o se rompe, el dinero se pierde. Apúntela en papel y luego escriba tres de sus palabras.',
  seePhrase: 'Ver la frase en los ajustes',
  haveWritten: 'La tengo en papel',
  askMe: 'Pregúnteme tres palabras',
  confirmed: 'Las palabras son correctas.',
  otherWord: (number) =>
    `La palabra ${number} es otra. Mire de nuevo su papel. Si allí está mal, omita la comprobación y consulte la frase en los ajustes con su contraseña.`,

  restoreSubmit: 'Restaurar el monedero',
  phraseHelp: 'De 12 a 24 palabras separadas por espacios. Las mayúsculas no importan.',
  hasPassphrase: 'Había una contraseña adicional',
  passphrase: 'Contraseña adicional BIP-39',
  passphraseHelp: 'Solo si eligió una junto con la frase. La mayoría de los monederos no la tienen.',
  watchSubmit: 'Observar el monedero',
  viewingKey: 'Clave de visualización',
  viewingKeyHelp: 'Una clave de visualización unificada (uview…, uivk…) o una de Sapling (zxviews…).',
  keyPasswordHelp: 'Protege la clave de visualización en este equipo.',
  newPassword: 'Nueva contraseña',
  birthday: 'Nacimiento',
  birthdayHelp:
    'Un mes o día anterior al primer pago, o la altura de un bloque. Si se deja vacío, se lee todo desde 2018, y eso tarda mucho.',
  noBirthday: 'El nacimiento es un mes como 2021-06, o la altura de un bloque como 2900000.',
};

export const welcomeTexts = inLanguages({ en: EN, de: DE, es: ES });
