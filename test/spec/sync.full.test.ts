// The life of a sync. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { sync } from './rules/sync.ts';

hold(sync);
