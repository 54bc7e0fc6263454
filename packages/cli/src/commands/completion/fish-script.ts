import { type CompletionPlace, type CompletionValue, quoted, stepsOf } from './completion-place.ts'

export const fishScript = (places: readonly CompletionPlace[]): string => {
  const { descents, values } = stepsOf(places)
  const lines = [
    '# fish completion for sibyl; written by: sibyl completion fish',
    'function __sibyl_at',
    '  set -l place sibyl',
    '  set -l skip no',
    '  for word in (commandline -opc)[2..-1]',
    '    if test $skip = yes',
    '      set skip no',
    '      continue',
    '    end',
    '    switch "$place $word"',
    `      case ${descents.map(word).join(' ')}`,
    '        set place "$place $word"',
    `      case ${values.map(({ after }) => word(after)).join(' ')}`,
    '        set skip yes',
    '    end',
    '  end',
    '  test "$place" = "$argv[1]"',
    'end',
    'complete -c sibyl -e',
    'complete -c sibyl -f',
    ...places.flatMap(linesOf),
  ]
  return `${lines.join('\n')}\n`
}

const word = (text: string): string => quoted(text.replaceAll('\\', '\\\\'), "\\'")

const linesOf = ({ path, commands, options, argument }: CompletionPlace): string[] => {
  const here = `complete -c sibyl -n ${word(`__sibyl_at ${word(path)}`)}`
  return [
    ...commands.map(one => `${here} -a ${word(one.word)} -d ${word(one.description)}`),
    ...(argument.choices.length > 0 ? [`${here} -a ${word(argument.choices.join(' '))}`] : []),
    ...(argument.isPath ? [`${here} -F`] : []),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map(flag => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
      return `${here} ${names.join(' ')}${value ? takes(value) : ''} -d ${word(description)}`
    }),
  ]
}

const takes = ({ choices, isPath }: CompletionValue): string => {
  if (choices.length > 0) return ` -x -a ${word(choices.join(' '))}`
  return isPath ? ' -r -F' : ' -x'
}
