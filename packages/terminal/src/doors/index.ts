// Text in the cells of a terminal, tables, and questions with answers that are shown or not.

export { Interrupted, LineEditor, Prompt } from '../terminal/prompt.ts';
export { type Check, type Choice, type Questions, terminalQuestions } from '../terminal/questions.ts';
export type { TerminalInput, TerminalOutput } from '../terminal/streams.ts';
export { cutTo, displayWidth, padded, widthOf, wrapped } from '../terminal/terminalText.ts';
export { type Column, numberedGrid, tableLines } from '../terminal/textTable.ts';
