import { didText } from '@sibyl/protocol'
import { jsonOption, urlOption } from '../../command/common-options.ts'
import { checkedText, defineCommand } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import { cleanLine } from '../../output/clean-text.ts'

const help = `For the operator of an oracle with the credits plugin. The operator token is read from the .env of the project; elsewhere,
set ORACLE_OPERATOR_TOKEN. It is not accepted as an argument, because other users of the computer could see it.`

const noCredits = (cause: unknown) =>
  cliErrors.configuration_invalid('This oracle does not use credits.', 'Add the credits plugin.', { cause })

const grantCommand = defineOperation({
  name: 'grant',
  summary: 'grant credits to a user, or take them back',
  help: 'The user sees the reason in their account. With --id, repeated calls grant only once.',
  examples: [
    'sibyl credits grant did:key:z6Mk… 100',
    'sibyl credits grant did:key:z6Mk… 2.5 --reason "Invoice 42" --id invoice-42',
    'sibyl credits grant did:key:z6Mk… -- -5          takes 5 back',
  ],
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
  errors: { 404: noCredits },
})

const utcDay = {
  value: '<day>',
  parse: checkedText(text => /^\d{4}-\d{2}-\d{2}$/.test(text), 'a day such as 2026-11-29.'),
}

const usageCommand = defineOperation({
  name: 'usage',
  summary: 'list the credits that each user used, by day',
  help: 'Lists the last 500 rows, latest day first. Days are UTC days.',
  examples: [
    'sibyl credits usage',
    'sibyl credits usage --from 2026-11-01 --to 2026-12-01 --json',
    'sibyl credits usage --did did:key:z6Mk…',
  ],
  options: {
    from: { ...utcDay, summary: 'the first day' },
    to: { ...utcDay, summary: 'the day after the last one' },
    did: { value: '<did>', summary: 'only this user' },
    ...urlOption,
    ...jsonOption,
  },
  caller: 'operator',
  route: 'GET /credits/days',
  input: ({ options: { from, to, did } }) => ({
    query: { limit: '500', ...(from && { from }), ...(to && { to }), ...(did && { did }) },
  }),
  response: 'creditDays',
  print({ days, next }, { io }) {
    for (const { day, did, turns, credits } of days)
      io.stdout.write(
        `${day}  ${credits.padStart(12)} credits  ${String(turns).padStart(5)} turns  ${cleanLine(did)}\n`,
      )
    if (days.length === 0) io.stderr.write('No credits were used.\n')
    if (next !== undefined) io.stderr.write(`There is more before ${days.at(-1)?.day}; narrow it with --to or --did.\n`)
  },
  errors: { 404: noCredits },
})

export const creditsCommand = defineCommand({
  name: 'credits',
  summary: 'grant credits to the users of an oracle, and list their usage',
  help,
  examples: ['sibyl credits grant did:key:z6Mk… 100', 'sibyl credits usage'],
  commands: [grantCommand, usageCommand],
})
