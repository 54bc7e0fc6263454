import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { oracleUrlOption } from '../oracle-url-option.ts'
import { isPhoneNumber, isServiceCode, usualPhoneNumber, usualServiceCode } from './dial-formats.ts'
import { operatorCommands } from './operator/operator-commands.ts'
import type { UssdOptions } from './ussd-options.ts'

const help = `
A phone in the terminal, for an oracle with the ussd plugin. What is piped in are answers, one a line. Lines that begin with
a slash change the phone: /help lists them. Ctrl-C cancels a session, and leaves where there is none.
In a recording, … stands for any text, such as a customer's ID.
USSD_GATEWAY_SECRET, where it is set, lets the phone in at an oracle that serves trusted gateways alone.

Examples:
  sibyl ussd                                   dial ${usualServiceCode} at the oracle on this computer
  sibyl ussd '*1234*1#' --phone +447700900002  dial past the first menu, from another phone
  sibyl ussd --once "1*2"                      answer 1, then 2, and show the last screen alone
  sibyl ussd --once "" --json | jq -r .text    the welcome menu, for a program
  printf '1\\n1\\n*\\n' | sibyl ussd              a whole session
  sibyl ussd --slow 3 --twice                  on a bad network
  sibyl ussd --record session.json             write down what is typed and shown
  sibyl ussd --replay session.json             play it again, up to the first difference

Exit codes: 0 done, 1 failed or not as recorded, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `ussd`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const ussdCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command => {
  const ussd = new Command('ussd')
    .description('dial an oracle, with a phone in the terminal; care for its customers')
    .enablePositionalOptions()
    .addArgument(new Argument('[code]', `what to dial (default: ${usualServiceCode})`).argParser(parseCode))
    .addOption(oracleUrlOption())
    .option('--phone <number>', `whose phone it is (default: ${usualPhoneNumber}, which nobody has)`, parseNumber)
    .option('--once <answers>', 'type these, joined by stars, show the last screen and leave')
    .option('--json', 'every screen as one line of JSON')
    .option('--last', 'send what was typed last, not all of the session joined by stars')
    .option('--slow <seconds>', 'how long the network takes, 0 to 99', parseSeconds)
    .option('--twice', 'deliver each request twice at once, and fail where the replies differ')
    .addOption(new Option('--record <file>', 'write what is typed and shown to a file; PINs too').conflicts('replay'))
    .addOption(
      new Option('--replay <file>', 'play a recording, and fail at the first screen that is another').conflicts([
        'once',
        'last',
      ]),
    )
    .addHelpText('after', help)
    .action(async (code: string | undefined, options: UssdOptions) => {
      const { ussd } = await import('./ussd.ts')
      finish(await ussd(code, options, io))
    })
  for (const command of operatorCommands(io, finish)) ussd.addCommand(command)
  return ussd
}

const parseCode = (value: string): string => {
  if (!isServiceCode(value)) throw new InvalidArgumentError("Expected a code in quotes, such as '*1234#'.")
  return value
}

const parseNumber = (value: string): string => {
  if (!isPhoneNumber(value)) throw new InvalidArgumentError('Expected one such as +447700900002.')
  return value
}

const parseSeconds = (value: string): number => {
  if (!/^\d{1,2}(\.\d+)?$/.test(value)) throw new InvalidArgumentError('Expected seconds from 0 to 99.')
  return Number(value)
}
