// The protocol's own text and what is made from it.
import { readFileSync } from 'node:fs';
import { type DescFile, fromBinary } from '@bufbuild/protobuf';
import { CompactBlockSchema, file_compact } from '@wallet-companion/zcash/compactProto';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import test from 'ava';
import { readKnownChains } from '../../../helpers/knownChains.ts';

/** `Message.field = number`, and `Service.Method(Request) Response`. */
function outlineOf({ messages, services }: DescFile): string[] {
  return [
    ...messages.flatMap(({ name, fields }) =>
      fields.map((field) => `${name}.${field.name} = ${field.number}`),
    ),
    ...services.flatMap(({ name, methods }) =>
      methods.map((method) => `${name}.${method.name}(${method.input.name}) ${method.output.name}`),
    ),
  ].sort();
}

test('the generated code is of the .proto text', (t) => {
  const outline: string[] = [];
  let within = '';
  for (const line of readFileSync('packages/zcash/src/compactProto/compact.proto', 'utf8').split('\n')) {
    const code = line.replace(/\/\/.*/, '').trim();
    within = /^(?:message|service) (\w+)/.exec(code)?.[1] ?? within;
    const field = /^(?:repeated )?\w+ (\w+) = (\d+);$/.exec(code);
    if (field !== null) outline.push(`${within}.${field[1]} = ${field[2]}`);
    const method = /^rpc (\w+)\((\w+)\) returns \((?:stream )?(\w+)\);$/.exec(code);
    if (method !== null) outline.push(`${within}.${method[1]}(${method[2]}) ${method[3]}`);
  }
  t.true(outline.length > 60);
  t.deepEqual(outlineOf(file_compact), outline.sort());
});

for (const { name, main } of readKnownChains()) {
  test(`${name}: the decoder of the scan reads what the schema says, Ironwood and its tree size included`, (t) => {
    for (const bytes of main.compact) {
      const { height, hash, prevHash, transactions, treeSizes } = decodeCompactBlock(bytes);
      const message = fromBinary(CompactBlockSchema, bytes);
      const { chainMetadata: sizes } = message;
      t.deepEqual(
        { height: BigInt(height), hash, prevHash, treeSizes },
        {
          height: message.height,
          hash: message.hash,
          prevHash: message.prevHash,
          treeSizes: sizes && {
            sapling: sizes.saplingCommitmentTreeSize,
            orchard: sizes.orchardCommitmentTreeSize,
            ironwood: sizes.ironwoodCommitmentTreeSize,
          },
        },
      );
      t.deepEqual(
        transactions,
        message.vtx.map(({ index, txid, spends, outputs, actions, ironwoodActions }) => ({
          index: Number(index),
          txid,
          spends: spends.map(({ nf }) => nf),
          outputs: outputs.map(({ cmu, ephemeralKey, ciphertext }) => ({ cmu, ephemeralKey, ciphertext })),
          actions: { orchard: actions.map(plainAction), ironwood: ironwoodActions.map(plainAction) },
        })),
      );
    }
  });
}

const plainAction = ({
  nullifier,
  cmx,
  ephemeralKey,
  ciphertext,
}: Readonly<Record<'nullifier' | 'cmx' | 'ephemeralKey' | 'ciphertext', Uint8Array>>) => ({
  nullifier,
  cmx,
  ephemeralKey,
  ciphertext,
});
