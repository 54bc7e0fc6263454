import { jsonOption, urlOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const consoleOptions = {
  user: { summary: 'sign in without the rights of an operator' },
  print: { summary: 'print the address, and do not open it' },
  ...urlOption,
  ...jsonOption,
} as const

export type ConsoleOptions = OptionsOf<typeof consoleOptions>

const help = `Opens the console of an oracle in the browser, signed in with your key on this computer. The operator token is
read from the .env of the project; elsewhere, set ORACLE_OPERATOR_TOKEN. The console asks for a code that the terminal
shows: other accounts of this computer can read the address. The code is valid for 5 minutes and one sign-in. A printed
address contains the whole code. Without a token, the console asks you to sign in.`

export const consoleCommand = defineCommand({
  name: 'console',
  summary: 'open the console of an oracle in the browser, signed in',
  help,
  examples: [
    'sibyl console                 the oracle of this project',
    'sibyl console --print         the address, for another browser',
    'sibyl console --user          with the rights of a user',
  ],
  options: consoleOptions,
  run: async ({ options, io }) => (await import('./open-console.ts')).openConsole(options, io),
})
