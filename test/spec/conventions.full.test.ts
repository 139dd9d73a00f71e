// What holds on every route. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { conventions } from './rules/conventions.ts';

hold(conventions);
