import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { type ExitCode, exitCode } from '../errors/exit-code.ts'
import type { CommandIo } from '../process/command-io.ts'

/** An option under its camelCase name: `dryRun` is `--dry-run`. Without `value` it is a switch. */
interface OptionDefinition {
  readonly summary: string
  /** Placeholder of its value: `<url>`. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Reads a value; throws through `checkedText` or `wholeNumber`. */
  readonly parse?: (text: string) => unknown
  /** Collects the values of several occurrences. */
  readonly repeated?: true
  readonly default?: string
  /** A switch that is true unless `--no-<name>` is given. */
  readonly negated?: true
  readonly short?: string
  /** Names of options that conflict with it. */
  readonly conflicts?: string | string[]
}

/** A positional argument under its placeholder: `did` is `<did>`. */
interface PositionalDefinition {
  readonly summary: string
  readonly optional?: true
  readonly choices?: readonly string[]
  readonly parse?: (text: string) => unknown
}

/** Options in the order in which `--help` lists them. */
export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>

export type PositionalDefinitions = Readonly<Record<string, PositionalDefinition>>

type TextValue<Definition> = Definition extends { readonly parse: (text: string) => infer Value }
  ? Value
  : Definition extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string

type OptionValue<Definition> = Definition extends { readonly value: string }
  ? Definition extends { readonly repeated: true }
    ? readonly TextValue<Definition>[]
    : TextValue<Definition>
  : boolean

type HasDefault = { readonly default: string } | { readonly negated: true }

/** Values of options, inferred from their definitions. */
export type OptionsOf<Definitions extends OptionDefinitions> = {
  readonly [Name in keyof Definitions as Definitions[Name] extends HasDefault ? Name : never]: OptionValue<
    Definitions[Name]
  >
} & {
  readonly [Name in keyof Definitions as Definitions[Name] extends HasDefault ? never : Name]?: OptionValue<
    Definitions[Name]
  >
}

type PositionalsOf<Definitions extends PositionalDefinitions> = {
  readonly [Name in keyof Definitions]:
    | TextValue<Definitions[Name]>
    | (Definitions[Name] extends { readonly optional: true } ? undefined : never)
}

/** The values of a call, and its environment. */
export interface CommandCall<Positionals extends PositionalDefinitions, Options extends OptionDefinitions> {
  readonly positionals: PositionalsOf<Positionals>
  readonly options: OptionsOf<Options>
  readonly io: CommandIo
  /** The whole `sibyl` command. */
  readonly program: Command
}

/** Creates a command; `finish` takes its exit code. */
export type CommandMaker = (io: CommandIo, finish: (code: ExitCode) => void) => Command

/** Definition of a command: its arguments, its help and its implementation. */
export interface CommandDefinition<Positionals extends PositionalDefinitions, Options extends OptionDefinitions> {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Explanation of `--help`, below the lists. */
  readonly help?: string
  /** Lines of `Examples:`. */
  readonly examples: readonly string[]
  /** Text after `Exit codes:`. @default those of a command that connects to an oracle */
  readonly exits?: string
  readonly positionals?: Positionals
  readonly options?: Options
  /** Commands below it. They accept its options as well. */
  readonly commands?: readonly CommandMaker[]
  /** Imports the implementation when the command runs, so that others start fast. Without an exit code the command is done. */
  readonly run?: (call: CommandCall<Positionals, Options>) => Promise<ExitCode | undefined> | Promise<void>
}

const helpOf = ({
  help,
  examples,
  exits = oracleExits,
}: Pick<CommandDefinition<PositionalDefinitions, OptionDefinitions>, 'help' | 'examples' | 'exits'>) =>
  ['', help && `${help}\n`, 'Examples:', ...examples.map(line => `  ${line}`), `\nExit codes: ${exits}`]
    .filter(line => line !== undefined)
    .join('\n')

const oracleExits = '0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

/** Defines a command; the types of its options and positional arguments are inferred. */
export const defineCommand =
  <const Positionals extends PositionalDefinitions, const Options extends OptionDefinitions>(
    definition: CommandDefinition<Positionals, Options>,
  ): CommandMaker =>
  (io, finish) => {
    const { name, summary, positionals, options, commands = [], run } = definition
    const command = new Command(name).description(summary).addHelpText('after', helpOf(definition))
    const places = Object.entries<PositionalDefinition>(positionals ?? {})
    for (const place of places) command.addArgument(argumentOf(place))
    for (const option of Object.entries<OptionDefinition>(options ?? {})) command.addOption(optionOf(option))
    for (const make of commands) command.addCommand(make(io, finish))
    if (!run) return command
    if (commands.length > 0) command.enablePositionalOptions()
    return command.action(async () => {
      const values = places.map(([place], index) => [place, command.processedArgs[index]])
      const call = { positionals: Object.fromEntries(values), options: command.optsWithGlobals(), io }
      finish((await run({ ...call, program: rootOf(command) } as CommandCall<Positionals, Options>)) ?? exitCode.done)
    })
  }

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)

const argumentOf = ([name, { summary, optional, choices, parse }]: [string, PositionalDefinition]): Argument => {
  const argument = new Argument(optional ? `[${name}]` : `<${name}>`, summary)
  if (choices) argument.choices(choices)
  if (parse) argument.argParser(parse)
  return argument
}

const optionOf = ([name, definition]: [string, OptionDefinition]): Option => {
  const { summary, value, choices, parse = String, repeated, negated, short, conflicts } = definition
  const long = `--${negated ? 'no-' : ''}${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  const option = new Option([short ? `-${short}, ${long}` : long, value].filter(Boolean).join(' '), summary)
  if (choices) option.choices(choices)
  else if (repeated) option.argParser((text, earlier: readonly unknown[] = []) => [...earlier, parse(text)])
  else if (value !== undefined) option.argParser(parse)
  if (definition.default !== undefined) option.default(definition.default)
  return conflicts === undefined ? option : option.conflicts(conflicts)
}

/** Returns a parser that accepts some texts: `checkedText(isAbility, 'one such as chat/*.')`. */
export const checkedText =
  (isValid: (text: string) => boolean, expected: string) =>
  (text: string): string => {
    if (isValid(text)) return text
    throw new InvalidArgumentError(`Expected ${expected}`)
  }

/** Returns a parser of whole numbers: `wholeNumber('whole hours', 1, 12)`. */
export const wholeNumber = (noun: string, least: number, max: number) => {
  const form = new RegExp(`^\\d{1,${String(max).length}}$`)
  return (text: string): number => {
    if (form.test(text) && Number(text) >= least && Number(text) <= max) return Number(text)
    throw new InvalidArgumentError(`Expected ${noun} from ${least} to ${max}.`)
  }
}
