// Who is let in. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { frontDoor } from './rules/frontDoor.ts';

hold(frontDoor);
