import { type Fault, jsonPointer } from '@sibyl/protocol'
import type { z } from 'zod'

/**
 * Something wrong in a body.
 *
 * @param path an RFC 6901 JSON Pointer
 * @param code `wrong_type`, `unknown_property`, …
 */
export const fault = (path: string, code: string, message: string): Fault => ({ path, code, message })

/** The faults of a text that did not fit a schema. @param path where the text is */
export const faultsOf = ({ issues }: Pick<z.ZodError, 'issues'>, path: string): readonly Fault[] =>
  issues.slice(0, mostFaults).map(issue => {
    const place = issue.path.reduce<string>((sofar, key) => jsonPointer(sofar, String(key)), path)
    return fault(place, codes.get(issue.code) ?? 'value_invalid', issue.message)
  })

const mostFaults = 100

const codes = new Map([
  ['invalid_type', 'wrong_type'],
  ['unrecognized_keys', 'unknown_member'],
])
