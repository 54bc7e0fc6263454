import { z } from 'zod'
import type { CommandIo } from '../../../command-io.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { cleanLine } from '../../../output/clean-text.ts'
import { writeJson } from '../../../output/write-json.ts'
import { OperatorClient } from './operator-client.ts'
import type { ActionsOptions } from './operator-options.ts'

const recordedActions = z.object({
  actions: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      state: z.string(),
      operator: z.string(),
      confirmedBy: z.string().optional(),
      reason: z.string().optional(),
      phoneNumber: z.string().optional(),
      customerId: z.string().optional(),
      requestedAt: z.string(),
    }),
  ),
})

/**
 * Runs `sibyl ussd customers actions`: what operators asked for, the latest first.
 *
 * @throws CommandError, and what `OperatorClient.send` throws
 */
export const listActions = async (
  { limit = 20, json, ...options }: ActionsOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const path = `/customers/actions?limit=${limit}`
  const { actions } = await client.send({ method: 'GET', path, answer: recordedActions })
  if (json) writeJson(io, { actions })
  else if (actions.length === 0) io.stderr.write('No operator asked for anything yet.\n')
  else for (const action of actions) io.stdout.write(`${lineOf(action)}\n`)
  return exitCode.done
}

const lineOf = (action: z.infer<typeof recordedActions>['actions'][number]): string => {
  const {
    requestedAt,
    kind,
    state,
    operator,
    confirmedBy,
    reason = '',
    phoneNumber = 'erased',
    customerId = '',
  } = action
  const by = confirmedBy === undefined || confirmedBy === operator ? operator : `${operator}, then ${confirmedBy}`
  const when = cleanLine(requestedAt).replace(/\.\d+Z$/, 'Z')
  const whom = cleanLine(`${phoneNumber} ${customerId}`)
  const what = [cleanLine(kind).padEnd(6), cleanLine(state).padEnd(7)]
  return [when, ...what, whom, `by ${cleanLine(by)}`, cleanLine(reason)].join('   ').trimEnd()
}
