// Texts about the scan: how it stands, what was looked at, where blocks come from, and the servers.

import { inLanguages } from './language.ts';

const EN = {
  scan: 'Scan',
  failed: (time: string, detail: string) => `The last scan failed (${time}): ${detail}`,
  scanning: (percent: string, blocks: string) => `Scanning: ${percent}, ${blocks} to go.`,
  finishing: 'Scanning: all known blocks are read, the last ones are being stored.',
  askingTip: 'Asking how long the chain is…',
  nothingYet: 'Nothing has been scanned yet.',
  notScanned: (blocks: string) => `${blocks} not scanned yet.`,
  scannedTo: (block: string) => `Scanned up to block ${block}.`,
  lastScan: (time: string) => `Last scan: ${time}.`,
  waitingForBlocks: 'Waiting for the first blocks.',
  speed: (blocks: string, outputs: string) => `${blocks} blocks and ${outputs} outputs a second.`,
  arriving: (megabytes: string) => ` ${megabytes} MB a second arrive.`,
  left: (duration: string) => ` ${duration[0]!.toUpperCase()}${duration.slice(1)} left.`,
  limits: {
    network: ' It mostly waits for blocks to arrive: the server or the line is slow.',
    cpu: ' This computer is the limit: it decrypts as fast as it can.',
    disk: ' It mostly waits for the disk of this computer.',
  },
  notFollowing:
    'A scan goes up to the newest block and then follows new ones, with this page closed too, until you stop it.',
  upToDate: 'Up to date. ',
  nextTry: (time: string) => `The next try is at ${time}. `,
  goesOn: 'The companion goes on by itself, with this page closed too',
  untilLocked: (duration: string) =>
    `, until the wallet locks itself: after ${duration} without use. It continues with the next unlock.`,
  scannedBlocks: 'Scanned blocks',
  stop: 'Stop',
  stopFollowing: 'Stop following',
  scanNow: 'Scan now',
  keepOpen: 'Keep the wallet unlocked meanwhile',
  keepOpenSubmit: 'Keep it unlocked',

  lookedAt: 'What has been looked at',
  byYear: 'By year',
  scanned: 'scanned',
  missing: 'missing',
  ahead: 'not reached yet',
  birthday: "Wallet's birthday",
  block: (height: string) => `block ${height}`,
  scannedFact: 'Scanned',
  missingFact: 'Missing in between',
  aheadFact: 'Not reached yet',
  accountNumber: (account: number) => `Account ${account}:`,
  stretch: (from: string, to: string) =>
    `Blocks ${from} to ${to}: scanned, each linked to the one below by its hash.`,
  stretchOneWord: (from: string, to: string) =>
    `Blocks ${from} to ${to}: scanned on the word of a compact server alone.`,
  hole: (from: string, to: string, dates: string) => `Blocks ${from} to ${to}${dates}: not scanned yet.`,
  dates: (from: string, to: string) => ` (${from} to ${to})`,

  source: 'Where blocks come from',
  sources: {
    auto: 'What the first use finds',
    compact: 'Compact server',
    node: 'Chain node',
    peers: 'Peers of the network',
  },
  sourceHelp: 'A compact server needs nothing installed, sees your address, and is believed about blocks.',

  sourceOpen:
    'Nothing is chosen yet. The first use takes a node on this machine, or else the compact server that is set.',
  sourceUsed: (address: string) => `Blocks come from ${address}.`,
  kinds: {
    node: 'A node of mine',
    peers: 'Peers of the network: no server, no node',
    public: 'A public server',
    other: 'Another address of a compact server',
  },
  peersHelp:
    'Whole blocks come from computers of the network. Each is checked by its work, so that none of them is believed. They see the address of your internet connection, and nothing of what is yours. Proofs and double spends are not checked: for a till a node of your own is better.',
  peersCost: (block: string, megabytes: string, duration: string) =>
    `All blocks from ${block} on come first: about ${megabytes} MB, and ${duration} of computing here. After that it is some 63 MB a day.`,
  peersLimits:
    'A wallet from before June 2025 cannot be read from peers: read it from a server first. To pay, older parts of the trees are needed that peers do not give: choose a server or a node for that.',
  usePeers: 'Take blocks from peers',
  peersUsed: 'Blocks come from peers of the network.',
  peersOff:
    'Blocks are to come from peers of the network, and the settings file of the companion turns them off.',
  nodeHelp: 'It checks every rule of the network itself, and nobody else sees what you look for.',
  serverNotice:
    'Such a server sees the address of your internet connection, when you look and what you send. It cannot spend or read anything. What it says about blocks is believed until a node confirms it.',
  noServers: 'No public server is listed for this network.',
  useServer: 'Use this one',
  listDate: (day: string) => `List of ${day}.`,
  tryServers: 'Which of them answer?',
  tryHelp: 'Each of them is asked once, and sees the address of your connection.',
  tryNow: 'Ask all of them',
  answeredIn: (milliseconds: string) => `Answers, in ${milliseconds} ms.`,
  serverBehind: 'It is behind the others.',
  estimate: 'How long will it take?',
  estimated: (blocks: string, megabytes: string, duration: string) =>
    `${blocks} to read${megabytes}: ${duration} of computing here. A slow line or server adds to it.`,
  megabytes: (count: string) => `, ${count} MB to receive`,

  nodeTitle: 'Chain node',
  nodeAsk: 'Ask the node',
  nodeAsked: 'The node was asked.',
  nodeSave: 'Ask it and save',
  nodeSaved: 'The new address is saved: the node answers.',
  peers: {
    title: 'Peers of the network',
    none: 'None is connected: the blocks of servers are not checked by their work.',
    known: (peers: string, block: string, megabytes: string) =>
      `${peers} connected. Work checked up to block ${block}. ${megabytes} MB today.`,
    catching_up: ' Headers are still being read.',
    current: '',
    stale:
      ' No block for half an hour: new blocks may be withheld from this computer. Do not take new payments as confirmed.',
    slow: ' Fewer than half of the blocks that were due in six hours: some may be withheld from this computer. Do not take new payments as confirmed.',
  },
  serverTitle: 'Compact server',
  serverAsk: 'Ask the server',
  serverAsked: 'The compact server has answered.',
  serverSave: 'Save',
  address: 'Address',
  changeAddress: 'Change the address',
  since: (time: string) => ` Since ${time}.`,
  newest: (block: string) => ` Its newest block is ${block}.`,
  states: {
    up: 'It answers.',
    behind: 'It answers, and is behind what was scanned already.',
    lost: 'It does not answer.',
    refused: 'It answers, but not as it should, or it does not let the companion in.',
    wrong_network: 'It is on another network than the wallet.',
    other_chain:
      'It follows a chain with less work than peers of the network show; nothing of it is counted.',
    unknown: 'Not asked yet.',
  },
  software: 'Software',
  notNamed: 'not said',
  network: 'Network',
  newestFact: 'Its newest block',
  stored: 'Blocks kept here',
  storedBlocks: (blocks: string, last: string) => `${blocks}, up to ${last}`,
  none: 'none',
};

export type ScanTexts = typeof EN;

const DE: ScanTexts = {
  scan: 'Scan',
  failed: (time, detail) => `Der letzte Scan ist gescheitert (${time}): ${detail}`,
  scanning: (percent, blocks) => `Scan läuft: ${percent}, noch ${blocks}.`,
  finishing: 'Scan läuft: Alle bekannten Blöcke sind gelesen, die letzten werden gespeichert.',
  askingTip: 'Die Länge der Kette wird erfragt…',
  nothingYet: 'Es wurde noch nichts gescannt.',
  notScanned: (blocks) => `${blocks} noch nicht gescannt.`,
  scannedTo: (block) => `Bis Block ${block} gescannt.`,
  lastScan: (time) => `Letzter Scan: ${time}.`,
  waitingForBlocks: 'Auf die ersten Blöcke wird gewartet.',
  speed: (blocks, outputs) => `${blocks} Blöcke und ${outputs} Ausgänge pro Sekunde.`,
  arriving: (megabytes) => ` ${megabytes} MB pro Sekunde kommen an.`,
  left: (duration) => ` Noch ${duration}.`,
  limits: {
    network: ' Meist wird auf Blöcke gewartet: Der Server oder die Leitung ist langsam.',
    cpu: ' Dieser Rechner ist die Grenze: Er entschlüsselt, so schnell er kann.',
    disk: ' Meist wird auf den Datenträger dieses Rechners gewartet.',
  },
  notFollowing:
    'Ein Scan geht bis zum neuesten Block und folgt dann neuen Blöcken, auch wenn diese Seite geschlossen ist, bis Sie ihn anhalten.',
  upToDate: 'Auf dem neuesten Stand. ',
  nextTry: (time) => `Der nächste Versuch ist am ${time}. `,
  goesOn: 'Der Companion macht von selbst weiter, auch wenn diese Seite geschlossen ist',
  untilLocked: (duration) =>
    `, bis die Wallet sich sperrt: wenn sie ${duration} lang nicht benutzt wurde. Nach dem nächsten Entsperren geht es weiter.`,
  scannedBlocks: 'Gescannte Blöcke',
  stop: 'Anhalten',
  stopFollowing: 'Nicht mehr folgen',
  scanNow: 'Jetzt scannen',
  keepOpen: 'Die Wallet währenddessen offen lassen',
  keepOpenSubmit: 'Offen lassen',

  lookedAt: 'Was schon durchsucht ist',
  byYear: 'Nach Jahren',
  scanned: 'gescannt',
  missing: 'fehlt',
  ahead: 'noch nicht erreicht',
  birthday: 'Geburtstag der Wallet',
  block: (height) => `Block ${height}`,
  scannedFact: 'Gescannt',
  missingFact: 'Dazwischen fehlen',
  aheadFact: 'Noch nicht erreicht',
  accountNumber: (account) => `Konto ${account}:`,
  stretch: (from, to) =>
    `Blöcke ${from} bis ${to}: gescannt, jeder durch seinen Hash mit dem darunter verbunden.`,
  stretchOneWord: (from, to) =>
    `Blöcke ${from} bis ${to}: gescannt, allein nach den Angaben eines kompakten Servers.`,
  hole: (from, to, dates) => `Blöcke ${from} bis ${to}${dates}: noch nicht gescannt.`,
  dates: (from, to) => ` (${from} bis ${to})`,

  source: 'Woher die Blöcke kommen',
  sources: {
    auto: 'Was sich beim ersten Mal findet',
    compact: 'Kompakter Server',
    node: 'Eigener Knoten',
    peers: 'Peers des Netzes',
  },
  sourceHelp:
    'Für einen kompakten Server muss nichts installiert werden; er sieht Ihre Internetadresse, und was er über Blöcke sagt, wird geglaubt.',

  sourceOpen:
    'Noch ist nichts gewählt. Beim ersten Mal wird ein Knoten auf diesem Rechner genommen, sonst der eingestellte kompakte Server.',
  sourceUsed: (address) => `Die Blöcke kommen von ${address}.`,
  kinds: {
    node: 'Mein eigener Knoten',
    peers: 'Peers des Netzes: ohne Server, ohne Knoten',
    public: 'Ein öffentlicher Server',
    other: 'Eine andere Adresse eines kompakten Servers',
  },
  peersHelp:
    'Ganze Blöcke kommen von Rechnern des Netzes. Jeder wird an seiner Arbeit geprüft, so dass keinem geglaubt wird. Sie sehen die Adresse Ihres Internetanschlusses und nichts von dem, was Ihnen gehört. Beweise und doppelte Ausgaben werden nicht geprüft: Für eine Kasse ist ein eigener Knoten besser.',
  peersCost: (block, megabytes, duration) =>
    `Zuerst kommen alle Blöcke ab ${block}: etwa ${megabytes} MB, und Rechenzeit hier ${duration}. Danach sind es rund 63 MB am Tag.`,
  peersLimits:
    'Eine Wallet von vor Juni 2025 lässt sich nicht von Peers lesen: Lesen Sie sie zuerst von einem Server. Zum Bezahlen werden ältere Teile der Bäume gebraucht, die Peers nicht geben: Wählen Sie dafür einen Server oder einen Knoten.',
  usePeers: 'Blöcke von Peers nehmen',
  peersUsed: 'Die Blöcke kommen von Peers des Netzes.',
  peersOff:
    'Die Blöcke sollen von Peers des Netzes kommen, und die Einstellungsdatei des Companion schaltet sie ab.',
  nodeHelp: 'Er prüft selbst alle Regeln des Netzes, und niemand sonst sieht, wonach Sie suchen.',
  serverNotice:
    'So ein Server sieht die Adresse Ihres Internetanschlusses, wann Sie nachsehen und was Sie senden. Ausgeben oder lesen kann er nichts. Was er über Blöcke sagt, wird geglaubt, bis ein Knoten es bestätigt.',
  noServers: 'Für dieses Netz ist kein öffentlicher Server aufgeführt.',
  useServer: 'Diesen verwenden',
  listDate: (day) => `Liste vom ${day}.`,
  tryServers: 'Welche davon antworten?',
  tryHelp: 'Jeder wird einmal gefragt und sieht dabei die Adresse Ihres Anschlusses.',
  tryNow: 'Alle fragen',
  answeredIn: (milliseconds) => `Antwortet nach ${milliseconds} ms.`,
  serverBehind: 'Er liegt hinter den anderen zurück.',
  estimate: 'Wie lange wird es dauern?',
  estimated: (blocks, megabytes, duration) =>
    `${blocks} sind zu lesen${megabytes}: Rechenzeit hier ${duration}. Eine langsame Leitung oder ein langsamer Server verlängert das.`,
  megabytes: (count) => `, ${count} MB zu empfangen`,

  nodeTitle: 'Knoten',
  nodeAsk: 'Knoten fragen',
  nodeAsked: 'Der Knoten wurde gefragt.',
  nodeSave: 'Fragen und speichern',
  nodeSaved: 'Die neue Adresse ist gespeichert: Der Knoten antwortet.',
  peers: {
    title: 'Knoten des Netzes',
    none: 'Keiner ist verbunden: Die Blöcke der Server werden nicht an ihrer Arbeit geprüft.',
    known: (peers, block, megabytes) =>
      `${peers} verbunden. Arbeit geprüft bis Block ${block}. Heute ${megabytes} MB.`,
    catching_up: ' Die Blockköpfe werden noch gelesen.',
    current: '',
    stale:
      ' Seit einer halben Stunde kein Block: Neue Blöcke werden diesem Rechner vielleicht vorenthalten. Halten Sie neue Zahlungen nicht für bestätigt.',
    slow: ' Weniger als die Hälfte der Blöcke, die in sechs Stunden fällig waren: Manche werden diesem Rechner vielleicht vorenthalten. Halten Sie neue Zahlungen nicht für bestätigt.',
  },
  serverTitle: 'Kompakter Server',
  serverAsk: 'Server fragen',
  serverAsked: 'Der kompakte Server hat geantwortet.',
  serverSave: 'Speichern',
  address: 'Adresse',
  changeAddress: 'Adresse ändern',
  since: (time) => ` Seit ${time}.`,
  newest: (block) => ` Sein neuester Block ist ${block}.`,
  states: {
    up: 'Er antwortet.',
    behind: 'Er antwortet, liegt aber hinter dem, was schon gescannt ist.',
    lost: 'Er antwortet nicht.',
    refused: 'Er antwortet, aber nicht richtig, oder er lässt den Companion nicht zu.',
    wrong_network: 'Er gehört zu einem anderen Netz als die Wallet.',
    other_chain: 'Er folgt einer Kette mit weniger Arbeit, als Knoten des Netzes zeigen; nichts davon zählt.',
    unknown: 'Noch nicht gefragt.',
  },
  software: 'Software',
  notNamed: 'keine Angabe',
  network: 'Netz',
  newestFact: 'Sein neuester Block',
  stored: 'Hier gespeicherte Blöcke',
  storedBlocks: (blocks, last) => `${blocks}, bis ${last}`,
  none: 'keine',
};

const ES: ScanTexts = {
  scan: 'Escaneo',
  failed: (time, detail) => `El último escaneo falló (${time}): ${detail}`,
  scanning: (percent, blocks) => `Escaneando: ${percent}, faltan ${blocks}.`,
  finishing: 'Escaneando: todos los bloques conocidos están leídos y se guardan los últimos.',
  askingTip: 'Preguntando la longitud de la cadena…',
  nothingYet: 'Aún no se ha escaneado nada.',
  notScanned: (blocks) => `${blocks} aún sin escanear.`,
  scannedTo: (block) => `Escaneado hasta el bloque ${block}.`,
  lastScan: (time) => `Último escaneo: ${time}.`,
  waitingForBlocks: 'Esperando los primeros bloques.',
  speed: (blocks, outputs) => `${blocks} bloques y ${outputs} salidas por segundo.`,
  arriving: (megabytes) => ` Llegan ${megabytes} MB por segundo.`,
  left: (duration) => ` Quedan ${duration}.`,
  limits: {
    network: ' Sobre todo se esperan bloques: el servidor o la línea van lentos.',
    cpu: ' El límite es este equipo: descifra tan rápido como puede.',
    disk: ' Sobre todo se espera al disco de este equipo.',
  },
  notFollowing:
    'Un escaneo llega hasta el último bloque y luego sigue los nuevos, también con esta página cerrada, hasta que usted lo detenga.',
  upToDate: 'Al día. ',
  nextTry: (time) => `El próximo intento será el ${time}. `,
  goesOn: 'Companion continúa por sí solo, también con esta página cerrada',
  untilLocked: (duration) =>
    `, hasta que el monedero se bloquee: tras ${duration} sin uso. Continúa al desbloquearlo de nuevo.`,
  scannedBlocks: 'Bloques escaneados',
  stop: 'Detener',
  stopFollowing: 'Dejar de seguir',
  scanNow: 'Escanear ahora',
  keepOpen: 'Mantener el monedero desbloqueado mientras tanto',
  keepOpenSubmit: 'Mantenerlo desbloqueado',

  lookedAt: 'Lo que ya se ha revisado',
  byYear: 'Por años',
  scanned: 'escaneado',
  missing: 'falta',
  ahead: 'aún sin alcanzar',
  birthday: 'Nacimiento del monedero',
  block: (height) => `bloque ${height}`,
  scannedFact: 'Escaneado',
  missingFact: 'Falta en medio',
  aheadFact: 'Aún sin alcanzar',
  accountNumber: (account) => `Cuenta ${account}:`,
  stretch: (from, to) =>
    `Bloques ${from} a ${to}: escaneados, cada uno enlazado con el anterior por su hash.`,
  stretchOneWord: (from, to) =>
    `Bloques ${from} a ${to}: escaneados solo según lo que dice un servidor compacto.`,
  hole: (from, to, dates) => `Bloques ${from} a ${to}${dates}: aún sin escanear.`,
  dates: (from, to) => ` (del ${from} al ${to})`,

  source: 'De dónde vienen los bloques',
  sources: {
    auto: 'Lo que se encuentre al empezar',
    compact: 'Servidor compacto',
    node: 'Nodo propio',
    peers: 'Pares de la red',
  },
  sourceHelp:
    'Un servidor compacto no necesita instalar nada, ve su dirección de internet, y se le cree lo que dice de los bloques.',

  sourceOpen:
    'Aún no se ha elegido nada. La primera vez se toma un nodo de este equipo o, si no, el servidor compacto configurado.',
  sourceUsed: (address) => `Los bloques vienen de ${address}.`,
  kinds: {
    node: 'Un nodo mío',
    peers: 'Pares de la red: sin servidor y sin nodo',
    public: 'Un servidor público',
    other: 'Otra dirección de un servidor compacto',
  },
  peersHelp:
    'Los bloques enteros vienen de equipos de la red. Cada uno se comprueba por su trabajo, así que no se cree a ninguno. Ven la dirección de su conexión a internet, y nada de lo que es suyo. No se comprueban las pruebas ni los gastos dobles: para una caja es mejor un nodo propio.',
  peersCost: (block, megabytes, duration) =>
    `Primero llegan todos los bloques desde el ${block}: unos ${megabytes} MB, y de cálculo aquí, ${duration}. Después son unos 63 MB al día.`,
  peersLimits:
    'Un monedero de antes de junio de 2025 no se puede leer de los pares: léalo primero de un servidor. Para pagar hacen falta partes más antiguas de los árboles que los pares no dan: elija para eso un servidor o un nodo.',
  usePeers: 'Tomar los bloques de los pares',
  peersUsed: 'Los bloques vienen de los pares de la red.',
  peersOff:
    'Los bloques deben venir de los pares de la red, y el archivo de configuración de Companion los desactiva.',
  nodeHelp: 'Comprueba por sí mismo todas las reglas de la red, y nadie más ve lo que usted busca.',
  serverNotice:
    'Un servidor así ve la dirección de su conexión, cuándo mira y lo que envía. No puede gastar ni leer nada. Lo que dice de los bloques se cree hasta que un nodo lo confirme.',
  noServers: 'No hay ningún servidor público en la lista para esta red.',
  useServer: 'Usar este',
  listDate: (day) => `Lista del ${day}.`,
  tryServers: '¿Cuáles responden?',
  tryHelp: 'Se pregunta una vez a cada uno, y ve la dirección de su conexión.',
  tryNow: 'Preguntar a todos',
  answeredIn: (milliseconds) => `Responde en ${milliseconds} ms.`,
  serverBehind: 'Va por detrás de los demás.',
  estimate: '¿Cuánto tardará?',
  estimated: (blocks, megabytes, duration) =>
    `Hay que leer ${blocks}${megabytes}: cálculo aquí, ${duration}. Una línea o un servidor lentos lo alargan.`,
  megabytes: (count) => `, recibir ${count} MB`,

  nodeTitle: 'Nodo',
  nodeAsk: 'Consultar el nodo',
  nodeAsked: 'Se ha consultado el nodo.',
  nodeSave: 'Consultarlo y guardar',
  nodeSaved: 'La nueva dirección está guardada: el nodo responde.',
  peers: {
    title: 'Nodos de la red',
    none: 'Ninguno está conectado: los bloques de los servidores no se comprueban por su trabajo.',
    known: (peers, block, megabytes) =>
      `Conectados: ${peers}. Trabajo comprobado hasta el bloque ${block}. ${megabytes} MB hoy.`,
    catching_up: ' Aún se leen las cabeceras.',
    current: '',
    stale:
      ' Ningún bloque desde hace media hora: puede que se oculten bloques nuevos a este equipo. No dé por confirmados los pagos nuevos.',
    slow: ' Menos de la mitad de los bloques previstos en seis horas: puede que se oculten algunos a este equipo. No dé por confirmados los pagos nuevos.',
  },
  serverTitle: 'Servidor compacto',
  serverAsk: 'Consultar el servidor',
  serverAsked: 'El servidor compacto ha respondido.',
  serverSave: 'Guardar',
  address: 'Dirección',
  changeAddress: 'Cambiar la dirección',
  since: (time) => ` Desde el ${time}.`,
  newest: (block) => ` Su último bloque es ${block}.`,
  states: {
    up: 'Responde.',
    behind: 'Responde, pero va por detrás de lo ya escaneado.',
    lost: 'No responde.',
    refused: 'Responde, pero no como debería, o no deja entrar a Companion.',
    wrong_network: 'Está en otra red que el monedero.',
    other_chain:
      'Sigue una cadena con menos trabajo que la que muestran los nodos de la red; nada de ella cuenta.',
    unknown: 'Aún sin consultar.',
  },
  software: 'Software',
  notNamed: 'no lo dice',
  network: 'Red',
  newestFact: 'Su último bloque',
  stored: 'Bloques guardados aquí',
  storedBlocks: (blocks, last) => `${blocks}, hasta ${last}`,
  none: 'ninguno',
};

export const scanTexts = inLanguages({ en: EN, de: DE, es: ES });
