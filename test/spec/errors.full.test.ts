// Failures. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { errors } from './rules/errors.ts';

hold(errors);
