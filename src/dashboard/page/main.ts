// The dashboard's start: chooses the transport, and builds everything else on it.

import { Formats } from '../model/amounts.ts';
import { httpTransport } from './live/httpTransport.ts';
import { Store } from './live/store.ts';
import { SyncRunner } from './live/syncRunner.ts';
import { windowTransport } from './live/windowTransport.ts';
import type { App } from './parts/app.ts';
import { Shell } from './shell.ts';

const isWindow = location.protocol !== 'http:' && location.protocol !== 'https:';
const transport = isWindow ? windowTransport() : httpTransport();
const store = new Store(transport);
const app: App = {
  store,
  call: transport.call,
  formats: new Formats(),
  runner: new SyncRunner(store),
  hold: (isHeld) => shell.hold(isHeld),
};
const shell = new Shell(app);
shell.start();
store.start();
