import { readFile } from 'node:fs/promises'
import { Command, CommanderError } from 'commander'
import type { CommandIo } from './command-io.ts'
import { chatCommand } from './commands/chat/chat-command.ts'
import { devnetCommand } from './commands/devnet/devnet-command.ts'
import { tokenCommand } from './commands/token/token-command.ts'
import { ussdCommand } from './commands/ussd/ussd-command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

const help = `
Examples:
  sibyl chat                    talk to the oracle on this computer
  sibyl chat --once "hello"     one question, one answer
  sibyl token                   a token for curl and other programs
  sibyl ussd                    dial it, with a phone in the terminal
  sibyl devnet                  a registry on this computer, to try things with
  sibyl chat --help             everything about a command`

/**
 * Runs the `sibyl` command: parses, does, and puts what goes wrong into words.
 *
 * @param argv The arguments after the command's name.
 * @returns the exit code; nothing here ends the process
 */
export const run = async (argv: readonly string[], io: CommandIo): Promise<ExitCode> => {
  let code: ExitCode = exitCode.done
  const program = new Command('sibyl')
    .description('Make, run and talk to oracles.')
    .version(await ownVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .enablePositionalOptions()
    .addHelpText('after', help)
    .showHelpAfterError('(sibyl --help lists what there is)')
  const finish = (result: ExitCode) => {
    code = result
  }
  program.addCommand(chatCommand(io, finish))
  program.addCommand(tokenCommand(io, finish))
  program.addCommand(ussdCommand(io, finish))
  program.addCommand(devnetCommand(io, finish))
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: text => io.stdout.write(text),
      writeErr: text => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
  }
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
    return report(error, io)
  }
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

const report = async (error: unknown, io: CommandIo): Promise<ExitCode> => {
  const { explainError } = await import('./explain-error.ts')
  const { message, remedy, exitCode: code } = explainError(error)
  io.stderr.write(`sibyl: ${message}\n${remedy === '' ? '' : `       ${remedy}\n`}`)
  if (io.env.SIBYL_DEBUG && error instanceof Error) io.stderr.write(`${error.stack}\n`)
  return code
}

const ownVersion = async (): Promise<string> => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
