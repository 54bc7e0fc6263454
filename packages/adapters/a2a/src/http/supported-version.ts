import type { Route } from '@sibyl/plugin'
import { a2aErrors } from '../errors/a2a-errors.ts'

/** Rejects requests in another version of A2A, before their body is read. A client that sends no version gets 1.0. */
const versions =
  (supported: RegExp): NonNullable<Route['admit']> =>
  c => {
    const version = c.req.header('a2a-version')?.trim() || '1.0'
    if (supported.test(version)) return undefined
    const { code, status, message } = a2aErrors.a2a_version_unsupported
    return { code, status, detail: message }
  }

/** Admits A2A 1.0; the patch does not matter. */
export const supportedVersion = versions(/^1(?:\.0(?:\.\d+)?)?$/)

/** Admits A2A 1.0, and 0.3 by JSON-RPC. */
export const supportedRpcVersion = versions(/^(?:1(?:\.0(?:\.\d+)?)?|0\.3(?:\.\d+)?)$/)
