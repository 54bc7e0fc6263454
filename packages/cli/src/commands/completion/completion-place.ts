import type { Command, Option } from 'commander'

/** A word that can be typed at a place, with its description. */
export interface CompletionWord {
  readonly word: string
  readonly description: string
}

/** The values of an option or argument. */
export interface CompletionValue {
  readonly choices: readonly string[]
  readonly isPath: boolean
}

/** An option: `--url <url>`. */
interface CompletionOption {
  /** `--version`, `-V` */
  readonly flags: readonly string[]
  readonly description: string
  /** Undefined for a switch. */
  readonly value: CompletionValue | undefined
}

/** A command as a shell sees it: its path, and the words that may follow. */
export interface CompletionPlace {
  /** `sibyl token grant` */
  readonly path: string
  readonly commands: readonly CompletionWord[]
  readonly options: readonly CompletionOption[]
  readonly argument: CompletionValue
}

/** Returns the places of a command and of all commands below it; `parents` is the path above it. */
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

/** Quotes a text as one word of a shell, in single quotes. */
export const quoted = (text: string, escapedQuote = "'\\''"): string => `'${text.replaceAll("'", escapedQuote)}'`

/**
 * Returns the transitions of the places, for the scripts of all shells: words that lead to another place, and options
 * with a value.
 */
export const stepsOf = (places: readonly CompletionPlace[]) => ({
  /** `sibyl token` and a word of it: `sibyl token grant`. */
  descents: places.flatMap(({ path, commands }) => commands.map(({ word }) => `${path} ${word}`)),
  /** Options with a value, each with its place: `sibyl chat --url`. */
  values: places.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value ? flags.map(flag => ({ after: `${path} ${flag}`, value })) : [])),
  ),
})
