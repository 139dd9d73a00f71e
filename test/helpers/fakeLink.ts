// A link without actors: validates as they do, answers with the examples or with the failure it was told to give.

import { examples } from '../../scripts/generate/examples.ts';
import type { ErrorRecord } from '../../src/protocol/errors.ts';
import type { CompanionEvent, EventListener } from '../../src/protocol/events.ts';
import { takeTexts } from '../../src/protocol/eventTexts.ts';
import type { HealthReport, Link } from '../../src/protocol/link.ts';
import {
  type CallContext,
  type Input,
  type OperationName,
  type Output,
  parseInput,
} from '../../src/protocol/operations.ts';
import { failure, ok, type Result } from '../../src/protocol/result.ts';

export interface Call {
  readonly name: OperationName;
  readonly input: unknown;
  readonly context: CallContext;
}

type Answer = (input: unknown) => Result<unknown> | Promise<Result<unknown>>;

export class FakeLink implements Link {
  readonly calls: Call[] = [];
  readonly #answers = new Map<OperationName, Answer>();
  healthReport: HealthReport = {
    wallet: 'up',
    chain: 'up',
    kernel: null,
    restarts: { wallet: 0, chain: 0 },
  };
  /** How often somebody has subscribed. */
  subscriptions = 0;
  /** By wallet. */
  readonly #listeners = new Map<string, Set<EventListener>>();

  async dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    context: CallContext,
  ): Promise<Result<Output<N>>> {
    this.calls.push({ name, input, context });
    try {
      const parsed = parseInput(name, input);
      const answer = this.#answers.get(name);
      const result = answer === undefined ? ok(examples[name].output) : await answer(parsed);
      return result as Result<Output<N>>;
    } catch (thrown) {
      return failure(thrown);
    }
  }

  answerWith<N extends OperationName>(
    name: N,
    answer: (input: Input<N>) => Result<Output<N>> | Promise<Result<Output<N>>>,
  ): void {
    this.#answers.set(name, answer as Answer);
  }

  failWith(name: OperationName, error: ErrorRecord): void {
    this.#answers.set(name, () => ({ ok: false, error }));
  }

  async health(): Promise<HealthReport> {
    return this.healthReport;
  }

  subscribe(listener: EventListener, wallet = 'default'): () => void {
    const listeners = this.#listeners.get(wallet) ?? new Set();
    this.#listeners.set(wallet, listeners.add(listener));
    this.subscriptions += 1;
    return () => listeners.delete(listener);
  }

  emit(event: CompanionEvent, wallet = 'default'): void {
    for (const listener of this.#listeners.get(wallet) ?? []) listener(event);
  }

  /** As the companion does: the texts beside the event, gone after the call. */
  emitWithTexts(reported: CompanionEvent, wallet = 'default'): void {
    const { event, texts } = takeTexts(reported);
    for (const listener of this.#listeners.get(wallet) ?? []) listener(event, texts);
    texts?.fill(0);
  }
}
