import { z } from 'zod'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../../output/clean-text.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { OperatorClient } from './operator-client.ts'
import type { ActionsOptions, OperatorOptions } from './operator-options.ts'

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

/** Runs `sibyl ussd customers actions`: list the requests of operators, newest first. */
export const listActions = async (
  { limit = 20, json, ...options }: ActionsOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const path = `/customers/actions?limit=${limit}`
  const { actions } = await client.send({ method: 'GET', path, answer: recordedActions })
  if (json) writeJson(io, { actions })
  else if (actions.length === 0) io.stderr.write('No operator requests yet.\n')
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

const keyUsage = z.object({
  keys: z.array(z.object({ id: z.string(), state: z.string(), rows: z.record(z.string(), z.int()) })),
})

/** Runs `sibyl ussd keys`: lists the keys that encrypt data of the gateway, and old ones that can be removed. */
export const listKeys = async (options: OperatorOptions, io: CommandIo): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const { keys } = await client.send({ method: 'GET', path: '/keys', answer: keyUsage })
  if (options.json) {
    writeJson(io, { keys })
    return exitCode.done
  }
  for (const { id, state, rows } of keys) {
    const used = Object.entries(rows).filter(([, count]) => count > 0)
    const tables = used.map(([table, count]) => `${count} in ${cleanLine(table)}`).join(', ')
    io.stdout.write(`${cleanLine(id)}   ${cleanLine(state).padEnd(7)}   ${tables || notNeeded(state)}\n`)
  }
  return exitCode.done
}

const notNeeded = (state: string): string =>
  state === 'old' ? 'no longer needed: remove it from PIN_ENCRYPTION_OLD_KEYS' : 'not used yet'
