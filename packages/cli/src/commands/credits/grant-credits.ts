import { ProblemError } from '@sibyl/client'
import { z } from 'zod'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { GrantOptions } from './credits-options.ts'

const didForm = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/
const amountForm = /^-?\d{1,15}(?:\.\d{1,6})?$/
const granted = z.object({ id: z.string(), did: z.string(), amount: z.string(), reason: z.string(), at: z.string() })

/** Runs `sibyl credits grant`: grants credits to a user, or takes them back. */
export const grantCredits = async (
  did: string,
  amount: string,
  options: GrantOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  if (!didForm.test(did))
    throw cliErrors.usage_invalid('The first argument is not a DID.', 'Pass the DID of the user: did:key:z6Mk…')
  if (!amountForm.test(amount) || Number(amount) === 0) {
    throw cliErrors.usage_invalid(
      'The second argument is not an amount of credits.',
      'Pass a number such as 100 or 0.5; -- -5 takes 5 back.',
    )
  }
  const answer = await requestOperator(
    {
      method: 'POST',
      path: '/credits/grants',
      body: { did, amount, reason: options.reason },
      headers: options.id === undefined ? {} : { 'idempotency-key': options.id },
    },
    options,
    io,
  ).catch(error => {
    if (!(error instanceof ProblemError) || error.status !== 404) throw error
    throw cliErrors.configuration_invalid('This oracle does not use credits.', 'Add the credits plugin.', {
      cause: error,
    })
  })
  const grant = granted.parse(answer)
  if (options.json) writeJson(io, grant)
  else io.stdout.write(`${wordsOf(grant)}\n`)
  return exitCode.done
}

const wordsOf = ({ did, amount, reason }: z.output<typeof granted>): string => {
  const credits = amount.replace(/^-/, '')
  const counted = `${cleanLine(credits)} ${Number(credits) === 1 ? 'credit' : 'credits'}`
  const done = amount.startsWith('-') ? `Took ${counted} back from` : `Granted ${counted} to`
  return `${done} ${cleanLine(did)} (${cleanLine(reason)}).`
}
