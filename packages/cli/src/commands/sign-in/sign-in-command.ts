import { defineCommand } from '../../command/define-command.ts'
import { codeOptions, signInOptions } from './sign-in-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const help = `
At an oracle with OAuth, list shows the applications that act for you, and end ends one; with --operator, those of all users.
The operator creates codes for users without a key. The operator token is read from the .env of the project; elsewhere, set
ORACLE_OPERATOR_TOKEN. It is not accepted as an argument, because other users of the computer could see it.

Examples:
  sibyl sign-in list
  sibyl sign-in end signin_0mhz3k2f1V1StGXR8Z5jd
  sibyl sign-in code Mutale

${exitCodes}`

const listHelp = `
Examples:
  sibyl sign-in list
  sibyl sign-in list --operator --json | jq -r '.signIns[].clientName'

${exitCodes}`

const endHelp = `
The tokens of the application are rejected from now on, in every process.

Examples:
  sibyl sign-in end signin_0mhz3k2f1V1StGXR8Z5jd

${exitCodes}`

const codeHelp = `
Prints a code for the sign-in page, valid for one sign-in. The same name is always the same user of this oracle.

Examples:
  sibyl sign-in code Mutale
  sibyl sign-in code Mutale --scope chat/send --minutes 60
  sibyl sign-in code did:key:z6Mk…

${exitCodes}`

const codeCommand = defineCommand({
  name: 'code',
  summary: 'create a one-time code for a user without a key',
  help: codeHelp,
  positionals: { user: { summary: 'a DID, or a name' } },
  options: codeOptions,
  run: async ({ positionals: { user }, options, io }) =>
    (await import('./create-code.ts')).createCode(user, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list the applications that act for you',
  help: listHelp,
  options: signInOptions,
  run: async ({ options, io }) => (await import('./list-sign-ins.ts')).listSignIns(options, io),
})

const endCommand = defineCommand({
  name: 'end',
  summary: 'end the access of an application',
  help: endHelp,
  positionals: { id: { summary: 'its ID, as listed by sibyl sign-in list' } },
  options: signInOptions,
  run: async ({ positionals: { id }, options, io }) => (await import('./end-sign-in.ts')).endSignIn(id, options, io),
})

export const signInCommand = defineCommand({
  name: 'sign-in',
  summary: 'list the applications that act for you, and create codes for users without a key',
  help,
  commands: [codeCommand, listCommand, endCommand],
})
