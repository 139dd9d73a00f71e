// Tells a person who looks elsewhere that money came, by a notification of the browser: only where the person has allowed them, and
// without an amount, which others may see. The browser keeps the consent; the page keeps nothing.

import { settingsTexts } from '../../texts/settings.ts';
import { sharedTexts } from '../../texts/shared.ts';

/** Undefined where the browser has no notifications, as in the window. */
export const consent = (): NotificationPermission | undefined => globalThis.Notification?.permission;

export const askConsent = (): Promise<NotificationPermission> => Notification.requestPermission();

export function notifyOfMoney(): void {
  if (consent() !== 'granted' || !document.hidden) return;
  // One that is not read yet is replaced, so that a scan makes one of many.
  new Notification(sharedTexts().title, { body: settingsTexts().moneyCame, tag: 'money' });
}
