import { defineCommand } from '../../command/define-command.ts'
import { codeOptions } from './sign-in-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const help = `
For the operator of an oracle with OAuth. Set ORACLE_OPERATOR_TOKEN to the token of the oracle. It is not accepted as an
argument, because other users of the computer could see it.

Examples:
  sibyl sign-in code Mutale
  sibyl sign-in code did:key:z6Mk… --minutes 30

${exitCodes}`

const codeHelp = `
Prints a code that the user types on the sign-in page, once. A name always stands for the same user of this oracle.

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

export const signInCommand = defineCommand({
  name: 'sign-in',
  summary: 'let users sign in to applications without a key',
  help,
  commands: [codeCommand],
})
