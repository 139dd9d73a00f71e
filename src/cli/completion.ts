// Completion for bash, zsh and fish, made from the command tree, which is made from the operation table. All three
// scripts find the node of the tree from the words before the cursor, then offer what can follow. They do not run the
// program while the user types.

import type { Command } from 'commander';
import { ON_OFF } from '../protocol/argumentName.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import { NETWORKS } from '../protocol/network.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What may follow a flag, or be an argument. */
type Value = 'nothing' | 'anything' | 'file' | 'folder' | readonly string[];

interface Flag {
  readonly flag: string;
  readonly summary: string;
  readonly value: Value;
}

interface Place {
  /** Each word with a space before it: '' is the root, ' wallet create' a command. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly Flag[];
  readonly argument: Value;
}

/** The script for a shell to load; the first lines of each script explain how. */
export function completionScript(shell: Shell, root: Command): string {
  const places = placesOf(root, '', []);
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](places);
}

const CHOICES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.values(COMMANDS).flatMap(({ fields }) =>
    fields.flatMap(({ name: field, choices }): [string, readonly string[]][] =>
      choices === undefined ? [] : [[field.replaceAll('_', '-'), choices]],
    ),
  ),
  [ON_OFF, ON_OFF.split('|')],
  ['network', NETWORKS],
  ['shell', SHELLS],
]);

function valueNamed(name: string): Value {
  if (name === 'db-path' || name === 'scan' || /(?:^|-)file$/.test(name)) return 'file';
  if (/(?:^|-)dir$/.test(name)) return 'folder';
  return CHOICES.get(name) ?? 'anything';
}

function placesOf(command: Command, path: string, inherited: readonly Flag[]): readonly Place[] {
  const own = command.options.map(({ long, description, required, optional }): Flag => {
    const flag = long ?? '';
    const value = required || optional ? valueNamed(flag.slice(2)) : 'nothing';
    return { flag, summary: description, value };
  });
  const flags = [...own, ...inherited];
  const [argument] = command.registeredArguments;
  const place: Place = {
    path,
    commands: command.commands.map((child) => ({ name: child.name(), summary: child.description() })),
    flags: [...flags, { flag: '--help', summary: 'what it does and takes', value: 'nothing' }],
    argument: argument === undefined ? 'nothing' : valueNamed(argument.name()),
  };
  return [place, ...command.commands.flatMap((child) => placesOf(child, `${path} ${child.name()}`, flags))];
}

/** A flag has the same meaning everywhere, so each is listed once: the value after a flag depends only on its name. */
function flagsTaking(places: readonly Place[], accepts: (value: Value) => boolean): readonly string[] {
  const flags = places.flatMap((place) => place.flags);
  return [...new Set(flags.filter(({ value }) => accepts(value)).map(({ flag }) => flag))];
}

const takesValue = (value: Value): boolean => value !== 'nothing';

/** Flags with the same choices are listed together. */
function flagsByChoices(
  places: readonly Place[],
): readonly (readonly [readonly string[], readonly string[]])[] {
  const groups = new Map<string, [string[], readonly string[]]>();
  for (const { flag, value } of places.flatMap((place) => place.flags)) {
    if (typeof value === 'string') continue;
    const key = value.join(' ');
    const group = groups.get(key) ?? [[], value];
    if (!group[0].includes(flag)) group[0].push(flag);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** All nodes except the root, where the search begins. */
const paths = (places: readonly Place[]): readonly string[] =>
  places.map(({ path }) => path).filter((path) => path !== '');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const alternatives = (texts: readonly string[]): string => texts.map(quoted).join('|');

// ---------------------------------------------------------------------------------------------------------------------
// bash

function bashScript(places: readonly Place[]): string {
  const reply = (flags: readonly string[], generator: string): string =>
    `    ${alternatives(flags)}) COMPREPLY=($(compgen ${generator} -- "$cur")); return ;;`;
  const words = (list: readonly string[]): string => `-W ${quoted(list.join('\n'))}`;
  const at = ({ path, commands, flags, argument }: Place): string =>
    [
      `    ${quoted(path)})`,
      `      case $cur in -*) COMPREPLY=($(compgen ${words(flags.map(({ flag }) => flag))} -- "$cur")); return ;; esac`,
      ...bashOffer(
        commands.map(({ name }) => name),
        argument,
        words,
      ),
      '      ;;',
    ].join('\n');
  return `# wallet-companion in bash. Load it with: source <(wallet-companion completion bash)
_wallet_companion() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} place='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${alternatives(flagsTaking(places, takesValue))}) ((i++)) ;;
      -*) ;;
      *) case "$place $word" in ${alternatives(paths(places))}) place="$place $word" ;; esac ;;
    esac
  done
  COMPREPLY=()
  case \${COMP_WORDS[COMP_CWORD - 1]} in
${flagsByChoices(places)
  .map(([flags, choices]) => reply(flags, words(choices)))
  .join('\n')}
${reply(
  flagsTaking(places, (value) => value === 'file'),
  '-f',
)}
${reply(
  flagsTaking(places, (value) => value === 'folder'),
  '-d',
)}
    ${alternatives(flagsTaking(places, (value) => value === 'anything'))}) return ;;
  esac
  case $place in
${places.map(at).join('\n')}
  esac
}
complete -o filenames -F _wallet_companion wallet-companion
`;
}

function bashOffer(
  commands: readonly string[],
  argument: Value,
  words: (list: readonly string[]) => string,
): readonly string[] {
  const offered = [...commands, ...(typeof argument === 'string' ? [] : argument)];
  const generator = argument === 'file' ? '-f' : offered.length > 0 ? words(offered) : undefined;
  return generator === undefined ? [] : [`      COMPREPLY=($(compgen ${generator} -- "$cur"))`];
}

// ---------------------------------------------------------------------------------------------------------------------
// zsh

function zshScript(places: readonly Place[]): string {
  const described = (name: string, summary: string): string =>
    quoted(`${name.replaceAll(':', '\\:')}:${summary.replaceAll(':', '\\:')}`);
  const at = ({ path, commands, flags, argument }: Place): string => {
    const offered = commands.map(({ name, summary }) => described(name, summary));
    const choices = typeof argument === 'string' ? [] : argument.map((choice) => described(choice, ''));
    const files = argument === 'file' ? ['      [[ $PREFIX == -* ]] || { _files; return; }'] : [];
    return [
      `    (${quoted(path)})`,
      ...files,
      `      offered=(${[...offered, ...choices].join(' ')})`,
      `      flags=(${flags.map(({ flag, summary }) => described(flag, summary)).join(' ')})`,
      '      ;;',
    ].join('\n');
  };
  const after = (flags: readonly string[], action: string): string =>
    `    (${alternatives(flags)}) ${action}return ;;`;
  return `#compdef wallet-companion
# wallet-companion in zsh. Load it with: source <(wallet-companion completion zsh), or keep it as _wallet-companion in a
# folder of $fpath.
_wallet_companion() {
  local place='' word
  local -i i
  local -a offered flags
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      (${alternatives(flagsTaking(places, takesValue))}) ((i++)) ;;
      (-*) ;;
      (*) case "$place $word" in (${alternatives(paths(places))}) place="$place $word" ;; esac ;;
    esac
  done
  case $words[CURRENT-1] in
${flagsByChoices(places)
  .map(([flags, choices]) => after(flags, `compadd -- ${choices.map(quoted).join(' ')}; `))
  .join('\n')}
${after(
  flagsTaking(places, (value) => value === 'file'),
  '_files; ',
)}
${after(
  flagsTaking(places, (value) => value === 'folder'),
  '_files -/; ',
)}
${after(
  flagsTaking(places, (value) => value === 'anything'),
  '',
)}
  esac
  case $place in
${places.map(at).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o 'flag' flags; else _describe 'command' offered; fi
}
if [[ $funcstack[1] == _wallet-companion ]]; then _wallet_companion "$@"; else compdef _wallet_companion wallet-companion; fi
`;
}

// ---------------------------------------------------------------------------------------------------------------------
// fish

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;

function fishScript(places: readonly Place[]): string {
  const list = (texts: readonly string[]): string => texts.map(fishQuoted).join(' ');
  const at = ({ path, commands, flags, argument }: Place): string[] => {
    const here = `complete -c wallet-companion -n ${fishQuoted(`__wallet_companion_at '${path}'`)}`;
    return [
      ...commands.map(({ name, summary }) => `${here} -a ${fishQuoted(name)} -d ${fishQuoted(summary)}`),
      ...(typeof argument === 'string' ? [] : [`${here} -a ${fishQuoted(argument.join(' '))}`]),
      ...(argument === 'file' ? [`${here} -F`] : []),
      ...flags.map(
        ({ flag, summary, value }) =>
          `${here} -l ${flag.slice(2)}${fishValue(value)} -d ${fishQuoted(summary)}`,
      ),
    ];
  };
  return `# wallet-companion in fish. Load it with: wallet-companion completion fish | source
function __wallet_companion_at
  set -l place ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${list(flagsTaking(places, takesValue))}
        set skip 1
      case '-*'
      case '*'
        switch "$place $word"
          case ${list(paths(places))}
            set place "$place $word"
        end
    end
  end
  test "$place" = "$argv[1]"
end
complete -c wallet-companion -f
${places.flatMap(at).join('\n')}
`;
}

function fishValue(value: Value): string {
  if (value === 'nothing') return '';
  if (value === 'anything') return ' -x';
  if (value === 'file') return ' -r -F';
  return value === 'folder'
    ? ` -x -a '(__fish_complete_directories)'`
    : ` -x -a ${fishQuoted(value.join(' '))}`;
}
