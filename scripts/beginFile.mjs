// Imported before each file of a group of tests, with its name in the query.
import { beginFile } from './groupedAva.mjs';

beginFile(decodeURIComponent(new URL(import.meta.url).search.slice(1)));
