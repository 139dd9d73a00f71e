// Runs a list of block operations. One call from JavaScript then does all the work between two inversions, which saves
// about thirty calls, and lets the caller choose how the stack is aligned (see `runShifted`).

import {
  add, chordX, chordY, mul, mulAdd, mulPlus, mulSub, mulTriple, negatedSum, sqr, sqrPlus, sub, toBytes,
} from './lanes';

export * from './lanes';

const BLOCK: i32 = 160;
/** 32-bit words: operation, o, a, b, c, d, blocks, step of b, step of c, unused. */
const COMMAND: usize = 40;

export function run(program: usize, end: usize): void {
  while (program < end) {
    const operation = load<i32>(program);
    const o = <usize>load<u32>(program, 4);
    const a = <usize>load<u32>(program, 8);
    const b = <usize>load<u32>(program, 12);
    const c = <usize>load<u32>(program, 16);
    const d = <usize>load<u32>(program, 20);
    const blocks = load<i32>(program, 24);
    const bStep = load<i32>(program, 28);
    const cStep = load<i32>(program, 32);
    switch (operation) {
      case 0:
        mul(o, a, b, blocks, BLOCK, BLOCK, bStep);
        break;
      case 1:
        mulSub(o, a, b, c, blocks, BLOCK, BLOCK, BLOCK, BLOCK);
        break;
      case 2:
        mulAdd(o, a, b, c, blocks, BLOCK, BLOCK, BLOCK, BLOCK);
        break;
      case 3:
        mulTriple(o, a, b, blocks, BLOCK, BLOCK, BLOCK);
        break;
      case 4:
        mulPlus(o, a, b, c, blocks, BLOCK, BLOCK, bStep, cStep);
        break;
      case 5:
        sqr(o, a, blocks, BLOCK, BLOCK);
        break;
      case 6:
        sqrPlus(o, a, c, blocks, BLOCK, BLOCK, BLOCK);
        break;
      case 7:
        chordX(o, a, b, c, blocks, BLOCK, BLOCK, BLOCK, BLOCK);
        break;
      case 8:
        chordY(o, a, b, c, d, blocks, BLOCK, BLOCK, BLOCK, BLOCK, BLOCK);
        break;
      case 9:
        add(o, a, b, blocks);
        break;
      case 10:
        sub(o, a, b, blocks);
        break;
      case 11:
        negatedSum(o, a, b, blocks);
        break;
      case 12:
        toBytes(o, a, blocks);
        break;
      default:
        memory.copy(o, a, <usize>(blocks * BLOCK));
        break;
    }
    program += COMMAND;
  }
}

/**
 * `run` from one frame deeper. V8 does not align the stack to the size of the vectors it spills; a misaligned frame
 * costs up to half the speed on Node 20. One of the three entry points has an aligned frame; the caller measures which.
 */
export function runShifted(program: usize, end: usize): void {
  run(program, end);
}

/** Like `runShifted`; the last parameter does not fit into registers and takes a stack slot. */
export function runPadded(program: usize, end: usize, _p0: i32, _p1: i32, _p2: i32, _p3: i32): void {
  run(program, end);
}
