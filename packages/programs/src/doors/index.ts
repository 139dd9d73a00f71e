// Programs of the owner's choice, run without a shell and within limits, where no other user can change what they are.

export { groupMemory } from '../programs/groupMemory.ts';
export { endGroup, passedOn, runnable, startProgram } from '../programs/program.ts';
export {
  DRAIN_MS,
  MAX_ANSWER_BYTES,
  MEMORY_LOOK_MS,
  type ProgramContext,
  type ProgramFailure,
  type ProgramRun,
  type ProgramSetting,
  runProgram,
} from '../programs/programRun.ts';
export { trustedFile } from '../programs/trustedFile.ts';
