import { urlOption } from '../../command/common-options.ts'
import { checkedText, defineCommand, type OptionDefinitions, type OptionsOf } from '../../command/define-command.ts'
import { operatorCommands } from './operator/operator-commands.ts'
import { isPhoneNumber, isSeconds, isServiceCode, usualPhoneNumber, usualServiceCode } from './phone/dial-formats.ts'

const parseSeconds = checkedText(isSeconds, 'seconds from 0 to 99.')

const ussdOptions = {
  ...urlOption,
  phone: {
    value: '<number>',
    parse: checkedText(isPhoneNumber, 'a number such as +447700900002.'),
    summary: `the phone number (default: ${usualPhoneNumber}, which is reserved for tests)`,
  },
  once: { value: '<answers>', summary: 'send these answers, joined by stars, print the last screen and exit' },
  json: { summary: 'print every screen as one line of JSON' },
  provider: {
    value: '<name>',
    conflicts: 'last',
    summary: 'send requests in the form of a telecom provider, such as hubtel',
  },
  last: { summary: 'send only the last answer, instead of all answers joined by stars' },
  slow: {
    value: '<seconds>',
    parse: (text: string) => Number(parseSeconds(text)),
    summary: 'delay of the network in seconds, 0 to 99',
  },
  twice: { summary: 'deliver each request twice at once, and fail if the replies differ' },
  record: {
    value: '<file>',
    conflicts: 'replay',
    summary: 'record the session to a file, including PINs',
  },
  replay: {
    value: '<file>',
    conflicts: ['once', 'last'],
    summary: 'replay a recording, and fail at the first screen that differs',
  },
} satisfies OptionDefinitions

export type UssdOptions = OptionsOf<typeof ussdOptions>

const help = `A phone in the terminal, for an oracle with the ussd plugin. Piped input is a list of answers, one per line. Lines that
start with a slash are commands: /help lists them. Ctrl-C cancels the session, or exits without one.
In a recording, … matches any text, such as a customer ID.
For an oracle that accepts only trusted gateways, set USSD_GATEWAY_SECRET.`

export const ussdCommand = defineCommand({
  name: 'ussd',
  summary: 'dial an oracle with a phone in the terminal, and support its customers',
  help,
  examples: [
    `sibyl ussd                                   dial ${usualServiceCode} at the oracle on this computer`,
    "sibyl ussd '*1234*1#' --phone +447700900002  skip the first menu, from another phone",
    'sibyl ussd --once "1*2"                      answer 1, then 2, and print only the last screen',
    'sibyl ussd --once "" --json | jq -r .text    the welcome menu, for a program',
    "printf '1\\n1\\n*\\n' | sibyl ussd              a whole session",
    'sibyl ussd --slow 3 --twice                  simulate a bad network',
    "sibyl ussd --provider hubtel                 send the requests of Hubtel's gateway",
    'sibyl ussd --record session.json             record the session',
    'sibyl ussd --replay session.json             replay it, up to the first difference',
  ],
  exits: '0 done, 1 failed or not as recorded, 2 usage, 3 configuration, 4 network, 130 interrupted.',
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
