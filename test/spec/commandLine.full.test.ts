// The command. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { commandLine } from './rules/commandLine.ts';

hold(commandLine);
