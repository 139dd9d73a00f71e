// The routes around the wallet. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { service } from './rules/service.ts';

hold(service);
