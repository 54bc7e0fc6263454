import { Command, InvalidArgumentError, Option } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { oracleUrlOption } from '../oracle-url-option.ts'
import { addAbility } from '../token/command-options.ts'
import type { ChatOptions } from './chat-options.ts'

const help = `
What is piped in is a conversation, one message a line. Ctrl-C stops a turn, twice leaves;
exit or quit alone on a line of a terminal leaves as well.
On a terminal, what comes into the session meanwhile, such as a reminder, stands above what you type.
Your key is made at the first use and kept in ~/.config/sibyl (SIBYL_HOME moves it).

Examples:
  sibyl chat                                           talk to the oracle on this computer
  sibyl chat --once "What's the weather in Berlin?"    one question, one answer
  sibyl chat --once - < question.txt                   the whole file is the question
  sibyl chat --once "hello" --json | jq -r .type       every event of the turn, one a line
  printf 'hello\\nwhat can you do?\\n' | sibyl chat      two messages in one session
  sibyl chat --url https://oracle.example --session 4f2a
  sibyl chat --ability 'chat/*'                        the agent reads and writes your own data alone

Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `chat`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const chatCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('chat')
    .description('talk to an oracle')
    .option('--once <text>', 'say this, show the answer and leave; - reads it from stdin')
    .option('--json', 'every event as one line of JSON')
    .addOption(oracleUrlOption())
    .option('--session <id>', 'go on with this session', parseSession)
    .addOption(
      new Option(
        '--approve <answer>',
        'answer to tools that ask first (default: ask on a terminal, else deny)',
      ).choices(['once', 'session', 'deny']),
    )
    .option(
      '--ability <ability>',
      'what the agent may do for you, may be repeated (default: all that you may)',
      addAbility,
    )
    .option('--trust', 'accept that the oracle at this address has a new identity')
    .addHelpText('after', help)
    .action(async (options: ChatOptions) => {
      const { chat } = await import('./chat.ts')
      finish(await chat(options, io))
    })

const parseSession = (value: string): string => {
  if (!/^(?!\.+$)[\w.:-]{1,128}$/.test(value))
    throw new InvalidArgumentError('Expected 1 to 128 letters, digits or _ . : -')
  return value
}
