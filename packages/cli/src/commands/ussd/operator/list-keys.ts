import { z } from 'zod'
import type { CommandIo } from '../../../command-io.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { cleanLine } from '../../../output/clean-text.ts'
import { writeJson } from '../../../output/write-json.ts'
import { OperatorClient } from './operator-client.ts'
import type { OperatorOptions } from './operator-options.ts'

const keyUsage = z.object({
  keys: z.array(z.object({ id: z.string(), state: z.string(), rows: z.record(z.string(), z.int()) })),
})

/**
 * Runs `sibyl ussd keys`: which keys seal what the gateway keeps, and whether an old one can go.
 *
 * @throws CommandError, and what `OperatorClient.send` throws
 */
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
  state === 'old' ? 'needed no more: take it out of PIN_ENCRYPTION_OLD_KEYS' : 'seals nothing yet'
