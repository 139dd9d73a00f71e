// Imported after the last file of a group of tests.
import { endGroup } from './groupedAva.mjs';

endGroup();
