import { checkedText, defineCommand } from '../../command/define-command.ts'
import { operatorCommands } from './operator/operator-commands.ts'
import { isServiceCode, usualServiceCode } from './phone/dial-formats.ts'
import { ussdOptions } from './ussd-options.ts'

const help = `
A phone in the terminal, for an oracle with the ussd plugin. Piped input is a list of answers, one per line. Lines that
start with a slash are commands: /help lists them. Ctrl-C cancels the session, or exits without one.
In a recording, … matches any text, such as a customer ID.
For an oracle that accepts only trusted gateways, set USSD_GATEWAY_SECRET.

Examples:
  sibyl ussd                                   dial ${usualServiceCode} at the oracle on this computer
  sibyl ussd '*1234*1#' --phone +447700900002  skip the first menu, from another phone
  sibyl ussd --once "1*2"                      answer 1, then 2, and print only the last screen
  sibyl ussd --once "" --json | jq -r .text    the welcome menu, for a program
  printf '1\\n1\\n*\\n' | sibyl ussd              a whole session
  sibyl ussd --slow 3 --twice                  simulate a bad network
  sibyl ussd --provider hubtel                 send the requests of Hubtel's gateway
  sibyl ussd --record session.json             record the session
  sibyl ussd --replay session.json             replay it, up to the first difference

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
