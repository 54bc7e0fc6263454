import { jsonPointer } from '@sibyl/protocol'
import type { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import type { ListedFault } from '../errors/command-error.ts'
import { listFaults } from './list-faults.ts'

/**
 * Reads a draft by the schema of the registry's route, so that what can be known here needs no request.
 *
 * @throws `usage_invalid` with every fault by its JSON Pointer
 */
export const checkDraft = <Value>(schema: z.ZodType<Value>, draft: unknown): Value => {
  const parsed = schema.safeParse(draft)
  if (parsed.success) return parsed.data
  throw cliErrors.usage_invalid('No registry takes it as it is:', 'Mend each.', {
    faults: listFaults(faultsOf(parsed.error)),
  })
}

const faultsOf = ({ issues }: z.ZodError): readonly ListedFault[] =>
  issues.flatMap(issue => {
    const path = issue.path.reduce<string>((pointer, key) => jsonPointer(pointer, String(key)), '')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map(key => ({ path: jsonPointer(path, key), message: 'There is no such member.' }))
  })
