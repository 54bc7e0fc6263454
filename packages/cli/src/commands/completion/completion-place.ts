import type { Command, Option } from 'commander'

/** Something that can be typed at a place, with what it is for. */
export interface CompletionWord {
  readonly word: string
  readonly description: string
}

/** What may be typed behind an option, or as an argument. */
export interface CompletionValue {
  readonly choices: readonly string[]
  readonly isPath: boolean
}

/** An option: `--url <url>`. */
interface CompletionOption {
  /** `--version`, `-V` */
  readonly flags: readonly string[]
  readonly description: string
  /** Undefined for one that stands alone. */
  readonly value: CompletionValue | undefined
}

/** A command as a shell sees it: where it is, and what may follow. */
export interface CompletionPlace {
  /** `sibyl token grant` */
  readonly path: string
  readonly commands: readonly CompletionWord[]
  readonly options: readonly CompletionOption[]
  /** Of all its arguments together. */
  readonly argument: CompletionValue
}

/** Returns the places of a command and of all commands below it; `parents` is what is typed before it. */
export const placesOf = (command: Command, parents: readonly string[] = []): CompletionPlace[] => {
  const path = [...parents, command.name()]
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const values = help.visibleArguments(command).map(argument => typedValue(argument.argChoices, argument.name()))
  const place = {
    path: path.join(' '),
    commands: commands.map(one => ({ word: one.name(), description: one.description() })),
    options: help.visibleOptions(command).map(optionOf),
    argument: { choices: values.flatMap(value => value.choices), isPath: values.some(value => value.isPath) },
  }
  return [place, ...commands.flatMap(one => placesOf(one, path))]
}

const optionOf = ({ short, long, description, argChoices, flags }: Option): CompletionOption => {
  const placeholder = /[<[](.+)[>\]]/.exec(flags)?.[1]
  return {
    flags: [long, short].filter(flag => flag !== undefined),
    description,
    value: placeholder === undefined ? undefined : typedValue(argChoices, placeholder),
  }
}

const typedValue = (choices: readonly string[] | undefined, placeholder: string): CompletionValue => ({
  choices: choices ?? [],
  isPath: /^(dir|file|folder|path)s?$/.test(placeholder),
})

/** Returns a text as one word of a shell, in single quotes. */
export const quoted = (text: string, escapedQuote = "'\\''"): string => `'${text.replaceAll("'", escapedQuote)}'`

/** What the scripts of all shells ask of the places: which words lead where, and which take the next word along. */
export const stepsOf = (places: readonly CompletionPlace[]) => ({
  /** `sibyl token` and a word of it: `sibyl token grant`. */
  descents: places.flatMap(({ path, commands }) => commands.map(({ word }) => `${path} ${word}`)),
  /** Options with a value, each behind its place: `sibyl chat --url`. */
  values: places.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value ? flags.map(flag => ({ after: `${path} ${flag}`, value })) : [])),
  ),
})
