// What each event makes of a wallet thread's state.
import test from 'ava';
import type { Carried } from '../../src/actors/wallet/ports/walletEnvironment.ts';
import {
  holdsCalls,
  type LifeEvent,
  lifeAfter,
  type Step,
  stageOf,
  type WalletLife,
} from '../../src/workers/walletLife.ts';

const carried: Carried = { wrongTries: [] };
const replacing = (step: Step): WalletLife => ({ kind: 'replacing', isOpen: false, step });
const EVENTS = 'call restart unlocked locked spent answered impatient kept retired lost gone stop'.split(
  ' ',
) as LifeEvent['kind'][];

/** Where an event leads; `stop` ends all, and those that are left out lead nowhere. */
const TABLE: readonly (readonly [WalletLife, Partial<Record<LifeEvent['kind'], string>>])[] = [
  [{ kind: 'resting', carried }, { call: 'running' }],
  [{ kind: 'starting' }, { restart: 'resting' }],
  [
    { kind: 'running', isOpen: false },
    { spent: 'answering', lost: 'starting' },
  ],
  [replacing('answering'), { unlocked: 'running', answered: 'asked', impatient: 'late', lost: 'starting' }],
  [replacing('late'), { unlocked: 'running', answered: 'closing', lost: 'starting' }],
  [replacing('closing'), { unlocked: 'running', answered: 'asked', lost: 'starting' }],
  [replacing('asked'), { unlocked: 'running', kept: 'running', retired: 'ending', lost: 'starting' }],
  [{ kind: 'ending', carried }, { gone: 'resting' }],
  [{ kind: 'stopped' }, {}],
];

for (const [life, next] of TABLE) {
  test(`${stageOf(life)}: what each event makes of it`, (t) => {
    for (const kind of EVENTS) {
      const after = stageOf(lifeAfter(life, { kind, carried } as LifeEvent));
      t.is(after, (kind === 'stop' ? 'stopped' : (next[kind] ?? stageOf(life))) as typeof after, kind);
    }
  });
}

test('new calls are held while earlier ones are answered and the thread ends, and at no other time', (t) => {
  const holding = TABLE.map(([life]) => life).filter(holdsCalls);
  t.deepEqual(holding.map(stageOf), ['answering', 'closing', 'asked', 'ending']);
});

const follow = (life: WalletLife, ...kinds: LifeEvent['kind'][]): WalletLife =>
  kinds.reduce((state, kind) => lifeAfter(state, { kind, carried } as LifeEvent), life);

test('what the thread passes on reaches its successor, and a lost one passes nothing on', (t) => {
  t.deepEqual(follow(replacing('asked'), 'retired', 'gone'), { kind: 'resting', carried });
  t.deepEqual(follow(replacing('asked'), 'lost', 'restart'), { kind: 'resting', carried: undefined });
});

test('a session is open from its event to the lock, also while the thread is asked to rest', (t) => {
  const open = follow({ kind: 'resting', carried }, 'call', 'unlocked');
  t.deepEqual(follow(open, 'spent', 'answered', 'kept'), { kind: 'running', isOpen: true });
  t.deepEqual(follow(open, 'spent', 'locked', 'answered', 'kept'), { kind: 'running', isOpen: false });
});
