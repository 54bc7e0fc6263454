import { didText } from '@sibyl/protocol'
import { jsonOption, urlOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import { cleanLine } from '../../output/clean-text.ts'

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

const grantCommand = defineOperation({
  name: 'grant',
  summary: 'grant credits to a user, or take them back',
  help: grantHelp,
  positionals: {
    did: { summary: 'the DID of the user' },
    amount: { summary: 'credits, with up to 6 decimals' },
  },
  options: {
    reason: { value: '<text>', summary: 'the reason, which the user sees', default: 'Granted by the operator' },
    id: { value: '<id>', summary: 'an ID that makes repeated calls grant once' },
    ...urlOption,
    ...jsonOption,
  },
  caller: 'operator',
  route: 'POST /credits/grants',
  input({ positionals: { did, amount }, options: { reason, id } }) {
    if (!didText.safeParse(did).success)
      throw cliErrors.usage_invalid('The first argument is not a DID.', 'Pass the DID of the user: did:key:z6Mk…')
    if (!/^-?\d{1,15}(?:\.\d{1,6})?$/.test(amount) || Number(amount) === 0)
      throw cliErrors.usage_invalid(
        'The second argument is not an amount of credits.',
        'Pass a number such as 100 or 0.5; -- -5 takes 5 back.',
      )
    return { body: { did, amount, reason }, headers: id === undefined ? undefined : { 'idempotency-key': id } }
  },
  response: 'creditGrant',
  print({ did, amount, reason }, { io }) {
    const credits = amount.replace(/^-/, '')
    const counted = `${cleanLine(credits)} ${Number(credits) === 1 ? 'credit' : 'credits'}`
    const done = amount.startsWith('-') ? `Took ${counted} back from` : `Granted ${counted} to`
    io.stdout.write(`${done} ${cleanLine(did)} (${cleanLine(reason)}).\n`)
  },
  errors: {
    404: cause =>
      cliErrors.configuration_invalid('This oracle does not use credits.', 'Add the credits plugin.', { cause }),
  },
})

export const creditsCommand = defineCommand({
  name: 'credits',
  summary: 'grant credits to the users of an oracle',
  help,
  commands: [grantCommand],
})
