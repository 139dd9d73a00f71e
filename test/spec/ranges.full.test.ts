// Which blocks a sync scans. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { ranges } from './rules/ranges.ts';

hold(ranges);
