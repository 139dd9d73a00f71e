// The compact-block server. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { compactServer } from './rules/compactServer.ts';

hold(compactServer);
