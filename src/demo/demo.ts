// `wallet-companion demo`: an embedded chain, a companion beside it, and the story of a wallet. It keeps running afterwards
// so that people can try it; `--once` ends after the story.
import { once } from 'node:events';
import { clockNear, Devnet } from '@wallet-companion/devnet';
import { PROVABLE_CIRCUIT } from '@wallet-companion/halo2';
import { ThreadedVerifier } from '@wallet-companion/halo2/load';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { DemoCompanion } from './demoCompanion.ts';
import { DEMO_ACTIVATION, DEMO_PASSWORD, runDemoStory, type Screen } from './demoStory.ts';

const DIM = '\u001b[2m';
const RESET = '\u001b[0m';
/** Exit code of a program that Ctrl-C ended before its work was done. */
const INTERRUPTED = 130;
const FAILED = 70;

/** Resolves with the exit code. */
export async function runDemo(stayUp: boolean, print: (line: string) => void): Promise<number> {
  const screen: Screen = {
    write: print,
    dim: (line) => print(process.stdout.isTTY ? `${DIM}${line}${RESET}` : line),
  };
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const verifier = new ThreadedVerifier(PROVABLE_CIRCUIT);
  const devnet = new Devnet({
    params: regtestParameters(DEMO_ACTIVATION),
    seed: 'demo',
    clock: clockNear(Date.now),
    findWrongProofs: verifier.findWrongProofs,
  });
  const nodeUrl = await devnet.node.listen();
  const compactServerUrl = await devnet.compact.listen();
  screen.write(`An embedded chain: node at ${nodeUrl}, compact-block server at ${compactServerUrl}`);
  let companion: DemoCompanion | undefined;
  try {
    companion = await DemoCompanion.start({ nodeUrl, compactServerUrl, activationHeights: DEMO_ACTIVATION });
    screen.write(`The companion: ${companion.url}; its dashboard, in a browser: ${companion.url}/`);
    const story = runDemoStory(devnet, companion, screen).then(() => 'told' as const);
    const ending = await Promise.race([story, interrupted.then(() => 'interrupted' as const)]);
    if (ending === 'interrupted') {
      // Stopping the companion makes the story's pending call fail.
      story.catch(() => undefined);
      return INTERRUPTED;
    }
    if (stayUp) {
      screen.write('');
      screen.write(
        'The companion and the chain stay up until Ctrl-C. The wallet is locked; open it in the dashboard',
      );
      screen.write(`(${companion.url}/) with the password "${DEMO_PASSWORD}", or with`);
      screen.dim(`  $ ${companion.curl('wallet.unlock', { password: DEMO_PASSWORD })}`);
      await interrupted;
    }
    return 0;
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    if (companion) console.error(companion.lastWords);
    return FAILED;
  } finally {
    await companion?.stop();
    await devnet.close();
    await verifier.close();
  }
}
