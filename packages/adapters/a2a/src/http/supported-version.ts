import type { Route } from '@sibyl/plugin'
import { a2aErrors } from '../errors/a2a-errors.ts'

/** Versions of A2A that are served: the patch does not matter, and a client that sends none gets 1.0. */
const supported = /^1(?:\.0(?:\.\d+)?)?$/

/** Rejects requests in another version of A2A, before their body is read. */
export const supportedVersion: NonNullable<Route['admit']> = c => {
  const version = c.req.header('a2a-version')?.trim() || '1.0'
  if (supported.test(version)) return undefined
  const { code, status, message } = a2aErrors.a2a_version_unsupported
  return { code, status, detail: message }
}
