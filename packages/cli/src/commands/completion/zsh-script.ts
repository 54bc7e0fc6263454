import { type CompletionPlace, type CompletionWord, quoted, stepsOf } from './completion-place.ts'

/** Returns the completion script for zsh, loaded automatically from `fpath` or with `source`. */
export const zshScript = (places: readonly CompletionPlace[]): string => {
  const { descents, values } = stepsOf(places)
  const lines = [
    '#compdef sibyl',
    '# zsh completion for sibyl; written by: sibyl completion zsh',
    '_sibyl() {',
    '  local place=sibyl word',
    '  local -a commands options',
    '  local -i index',
    '  for ((index = 2; index < CURRENT; index++)); do',
    '    word="$words[index]"',
    '    case "$place $word" in',
    ...branch(descents, 'place="$place $word"'),
    ...branch(
      values.map(({ after }) => after),
      'index+=1',
    ),
    '    esac',
    '  done',
    '  case "$place $words[CURRENT-1]" in',
    ...values.flatMap(({ after, value }) => branch([after], actionOf(value))),
    '  esac',
    '  case "$place" in',
    ...places.flatMap(place => branch([place.path], takenAt(place))),
    '  esac',
    "  (( $#commands )) && _describe -t commands 'command' commands",
    "  _describe -o -t options 'option' options",
    '}',
    '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
    'if [[ "$funcstack[1]" == _sibyl ]]; then _sibyl "$@"; else compdef _sibyl sibyl; fi',
  ]
  return `${lines.join('\n')}\n`
}

const branch = (patterns: readonly string[], action: string): string[] =>
  patterns.length === 0 ? [] : [`      (${patterns.map(it => quoted(it)).join('|')}) ${action} ;;`]

const actionOf = ({ choices, isPath }: { readonly choices: readonly string[]; readonly isPath: boolean }): string => {
  if (choices.length > 0) return `compadd -- ${choices.map(it => quoted(it)).join(' ')}; return`
  return isPath ? '_files; return' : "_message 'a value'; return"
}

const takenAt = ({ commands, argument, options }: CompletionPlace): string => {
  const words = [...commands, ...argument.choices.map(word => ({ word, description: '' }))]
  const flags = options.flatMap(({ flags, description }) => flags.map(word => ({ word, description })))
  const files = argument.isPath ? '; _files' : ''
  return `commands=(${words.map(described).join(' ')}); options=(${flags.map(described).join(' ')})${files}`
}

const described = ({ word, description }: CompletionWord): string =>
  quoted(description === '' ? word : `${word}:${description.replaceAll(':', '\\:')}`)
