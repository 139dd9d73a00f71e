// The dashboard's start.

import './live/language.ts';
import { startPage } from './parts/startPage.ts';
import { Shell } from './shell.tsx';

startPage(({ page }) => <Shell page={page} />);
