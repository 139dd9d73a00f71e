// The themes of `POST /api/config/theme`, with names for users.

import type { Input } from '@wallet-companion/client';

export type Theme = Input<'config.theme'>['theme'];

export const THEMES: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'system', name: 'Same as the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];
