// Moves a PCZT to the signer and back: a file that the browser saves, and a file that is chosen or dropped. The window
// has no downloads and not everywhere a file chooser: there the user copies and pastes it as text.

import { useState } from 'preact/hooks';
import { bytesIn } from '../../model/base64.ts';
import { pcztText } from '../../model/payments.ts';
import { Objection } from '../../model/problems.ts';
import { exchangeTexts } from '../../texts/exchange.ts';
import { isWindow } from '../live/app.ts';
import { ActionButton, Field, Form, type Typed } from './form.tsx';
import { useAttempt } from './hooks.ts';
import { Details } from './layout.tsx';
import { save } from './save.ts';
import { Boxed, CopyButton, Problem } from './text.tsx';

/** Far more than any payment needs. */
const MAX_BYTES = 1 << 22;

/** `read` fetches the PCZT on demand: it grows as signatures are added. */
export function TakeAway({ id, read }: { id: string; read: () => Promise<string> }) {
  const texts = exchangeTexts();
  const [text, setText] = useState('');
  const name = `payment-${id.slice(0, 8)}.pczt`;
  const saveIt = async () => save(name, bytesIn(await read()), 'application/octet-stream');
  if (!isWindow) return <ActionButton text={texts.saveFile} class="quiet" act={saveIt} />;
  return (
    <>
      <ActionButton text={texts.showText} class="quiet" act={async () => setText(await read())} />
      {text && <CopyButton what={texts.thePczt} text={text} />}
      {text && <Boxed text={text} />}
    </>
  );
}

/** `take` receives the PCZT in base64; its errors are shown here. */
export function TakeBack({ take }: { take: (pczt: string) => Promise<void> }) {
  const texts = exchangeTexts();
  const { problem, attempt } = useAttempt();
  const [isOver, setOver] = useState(false);
  const takeBytes = (bytes: Uint8Array, objection: Objection) => {
    const pczt = pcztText(bytes);
    if (pczt === undefined) throw objection;
    return take(pczt);
  };
  const takeFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) throw new Objection(texts.tooLarge);
    const objection = new Objection(texts.noPcztFile);
    await takeBytes(new Uint8Array(await file.arrayBuffer()), objection);
  };
  const takePasted = async (typed: Typed, form: HTMLFormElement) => {
    const objection = new Objection(texts.noPcztText, 'pczt');
    await takeBytes(new TextEncoder().encode(typed('pczt')), objection);
    form.reset();
  };
  const dragged = (isNear: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isNear);
    if (event.type === 'drop') void attempt(() => takeFile(event.dataTransfer?.files[0]));
  };
  const chosen = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    await attempt(() => takeFile(input.files?.[0]));
    input.value = '';
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by keyboard in the input. */}
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={dragged(true)}
        onDragLeave={dragged(false)}
        onDrop={dragged(false)}
      >
        <label for="returned">{texts.returned}</label>
        <input id="returned" type="file" accept=".pczt,.txt,application/octet-stream" onChange={chosen} />
        <Problem text={problem} />
      </div>
      <Details summary={texts.asText}>
        <Form submit={texts.takeIt} class="quiet" act={takePasted}>
          <Field kind="area" name="pczt" label={texts.theText} required />
        </Form>
      </Details>
    </div>
  );
}
