import { type CompletionPlace, quoted, stepsOf } from './completion-place.ts'

/** Returns the completion script for bash (3.2 or later). */
export const bashScript = (places: readonly CompletionPlace[]): string => {
  const { descents, values } = stepsOf(places)
  const chosen = values.filter(({ value }) => value.choices.length > 0)
  const paths = values.filter(({ value }) => value.isPath)
  const unknown = values.filter(({ value }) => value.choices.length === 0 && !value.isPath)
  const lines = [
    '# bash completion for sibyl; written by: sibyl completion bash',
    '_sibyl() {',
    `  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"`,
    "  local place=sibyl word words='' paths=''",
    '  local -i index',
    '  # --option=value comes as three words.',
    "  if [[ $current == '=' ]]; then current=''",
    `  elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    `    word="\${COMP_WORDS[index]}"`,
    '    case "$place $word" in',
    ...branch(descents, 'place="$place $word"'),
    ...branch(afters(values), 'index+=1'),
    '    esac',
    '  done',
    '  case "$place $previous" in',
    ...chosen.flatMap(({ after, value }) => branch([after], `words=${quoted(value.choices.join(' '))}`)),
    ...branch(afters(paths), 'paths=yes'),
    ...branch(afters(unknown), 'return'),
    '    *) case "$place" in',
    ...places.flatMap(place => branch([place.path], takenAt(place))),
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current")) || :',
    '  if [[ -n $paths && $current != -* ]]; then',
    '    compopt -o filenames 2>/dev/null || :',
    '    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")',
    '  fi',
    '}',
    'complete -F _sibyl sibyl',
  ]
  return `${lines.join('\n')}\n`
}

const afters = (values: readonly { readonly after: string }[]): string[] => values.map(({ after }) => after)

const branch = (patterns: readonly string[], action: string): string[] =>
  patterns.length === 0 ? [] : [`      ${patterns.map(it => quoted(it)).join('|')}) ${action} ;;`]

const takenAt = ({ commands, argument, options }: CompletionPlace): string => {
  const words = [
    ...commands.map(({ word }) => word),
    ...argument.choices,
    ...options.flatMap(({ flags }) => flags.filter(flag => flag.startsWith('--'))),
  ]
  return `words=${quoted(words.join(' '))}${argument.isPath ? ' paths=yes' : ''}`
}
