import { Command, CommanderError } from 'commander'
import { mayAsk } from './ask/asker.ts'
import { explainUsage, setHelp } from './command/command-help.ts'
import { commandGroups } from './commands/command-groups.ts'
import { type ExitCode, exitCode } from './errors/exit-code.ts'
import { asCalled } from './process/called-as.ts'
import type { CommandIo } from './process/command-io.ts'
import { ownVersion } from './process/own-version.ts'

const help = `
Examples:
  sibyl new                     create an oracle, question by question
  sibyl dev                     run it, and restart it at every change
  sibyl chat                    chat with it
  sibyl chat --once "hello"     one question, one answer
  sibyl doctor                  diagnose problems and show their fixes
  sibyl chat --help             show the help of a command`

/**
 * Runs the `sibyl` command: parses the arguments, runs the command, and prints errors. With `--json` an error is one
 * object on standard output.
 *
 * @param argv The arguments after the name of the command.
 * @returns the exit code; the process is not ended
 */
export const run = async (argv: readonly string[], io: CommandIo): Promise<ExitCode> => {
  let code: ExitCode = exitCode.done
  const finish = (result: ExitCode) => {
    code = result
  }
  try {
    const program = await makeProgram(io, finish)
    const called = argv.length === 0 ? await withoutArguments(program, io) : argv
    await program.parseAsync(called[0] === '--chat' ? ['chat', ...called.slice(1)] : called, { from: 'user' })
    return code
  } catch (error) {
    return error instanceof CommanderError ? exitCode.done : report(error, { io, asJson: wantsJson(argv) })
  }
}

/** Returns the arguments for `sibyl` without any: a choice from a menu on a terminal, otherwise its help. */
const withoutArguments = async ({ commands }: Command, io: CommandIo): Promise<readonly string[]> => {
  if (!mayAsk(io, {})) return ['--help']
  const { menu } = await import('./commands/menu/menu.ts')
  return menu(new Set(commands.map(command => command.name())), io)
}

const makeProgram = async (io: CommandIo, finish: (code: ExitCode) => void): Promise<Command> => {
  const program = new Command('sibyl')
    .description('Create, run and chat with oracles.')
    .version(await ownVersion(), '-V, --version', 'show the version')
    .option('--chat', 'the same as sibyl chat, with its options')
    .enablePositionalOptions()
    .addHelpText('after', help)
  for (const [heading, makers] of Object.entries(commandGroups)) {
    for (const make of makers) program.addCommand(make(io, finish).helpGroup(heading))
  }
  for (const command of withSubcommands(program)) printThrough(io, command)
  return program
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

/** Configures a command to print its help through `io`, and to throw usage errors. */
const printThrough = (io: CommandIo, command: Command): void => {
  setHelp(io, command)
  command.exitOverride(error => {
    throw error.exitCode === 0 ? error : explainUsage(error, nameOf(command), command)
  })
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

/** Returns whether `--json` is among the arguments, before a `--` that ends the options. */
const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

const report = async (error: unknown, { io, asJson }: { io: CommandIo; asJson: boolean }): Promise<ExitCode> => {
  const [{ explainError }, { cleanText, safeJson }] = await Promise.all([
    import('./errors/explain-error.ts'),
    import('./output/clean-text.ts'),
  ])
  const { code, message, faults, exitCode, ...explained } = explainError(error)
  const remedy = asCalled(explained.remedy, io.env)
  if (asJson) io.stdout.write(`${safeJson({ error: { code, message, remedy, faults } })}\n`)
  const lines = (faults ?? []).map(({ path, message }) => `         ${path}  ${message}\n`).join('')
  io.stderr.write(
    `sibyl: ${message}\n${lines}${remedy === '' || asJson ? '' : `       ${remedy.replaceAll('\n', '\n       ')}\n`}`,
  )
  if (io.env.SIBYL_DEBUG && error instanceof Error) io.stderr.write(`${cleanText(error.stack ?? '')}\n`)
  return exitCode
}
