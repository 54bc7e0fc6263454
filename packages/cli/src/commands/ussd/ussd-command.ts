import { checkedText, defineCommand } from '../../command/define-command.ts'
import { operatorCommands } from './operator/operator-commands.ts'
import { isServiceCode, usualServiceCode } from './phone/dial-formats.ts'
import { ussdOptions } from './ussd-options.ts'

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

export const ussdCommand = defineCommand({
  name: 'ussd',
  summary: 'dial an oracle with a phone in the terminal, and support its customers',
  help,
  positionals: {
    code: {
      optional: true,
      summary: `the code to dial (default: ${usualServiceCode})`,
      parse: checkedText(isServiceCode, "a code in quotes, such as '*1234#'."),
    },
  },
  options: ussdOptions,
  commands: operatorCommands,
  run: async ({ positionals: { code }, options, io }) => (await import('./ussd.ts')).ussd(code, options, io),
})
