// YAML as data. The parser is the test runner's own, since the program reads no YAML.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ofAva = createRequire(createRequire(import.meta.url).resolve('supertap'));
const { safeLoad } = ofAva('js-yaml') as { safeLoad(text: string): unknown };

export const parsedYaml = <T>(file: string): T => safeLoad(readFileSync(file, 'utf8')) as T;
