import { defineCommand } from '../../command/define-command.ts'
import { grantOptions } from './credits-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const help = `
For the operator of an oracle with the credits plugin. The operator token is read from the .env of the project; elsewhere,
set ORACLE_OPERATOR_TOKEN. It is not accepted as an argument, because other users of the computer could see it.

Examples:
  sibyl credits grant did:key:z6Mk… 100

${exitCodes}`

const grantHelp = `
The user sees the reason in their account. With --id, repeated calls grant only once.

Examples:
  sibyl credits grant did:key:z6Mk… 100
  sibyl credits grant did:key:z6Mk… 2.5 --reason "Invoice 42" --id invoice-42
  sibyl credits grant did:key:z6Mk… -- -5          takes 5 back

${exitCodes}`

const grantCommand = defineCommand({
  name: 'grant',
  summary: 'grant credits to a user, or take them back',
  help: grantHelp,
  positionals: {
    did: { summary: 'the DID of the user' },
    amount: { summary: 'credits, with up to 6 decimals' },
  },
  options: grantOptions,
  run: async ({ positionals: { did, amount }, options, io }) =>
    (await import('./grant-credits.ts')).grantCredits(did, amount, options, io),
})

export const creditsCommand = defineCommand({
  name: 'credits',
  summary: 'grant credits to the users of an oracle',
  help,
  commands: [grantCommand],
})
