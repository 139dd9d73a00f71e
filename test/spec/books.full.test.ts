// What somebody who keeps books adds up. See world.ts for what a rule is.
import { hold } from './hold.ts';
import { books } from './rules/books.ts';

hold(books);
