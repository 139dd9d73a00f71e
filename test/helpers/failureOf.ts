// What a promise fails with, where it has to.
import { CompanionError } from '../../src/protocol/errors.ts';

export async function failureOf(answer: Promise<unknown>): Promise<CompanionError> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof CompanionError) return error;
    throw error;
  }
  throw new Error('it succeeded');
}
