import {
  ClientError,
  ConnectionLostError,
  NetworkError,
  OracleMismatchError,
  ProblemError,
  UnexpectedResponseError,
} from '@sibyl/client'
import { cleanLine, cleanText } from '../output/clean-text.ts'
import { shellWord } from '../output/format.ts'
import { CommandError, type ListedViolation } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** Converts an error to a message that is safe to print. */
export const explainError = (error: unknown): Explanation => {
  if (error instanceof CommandError) {
    const { code, message, remedy, faults, exitCode } = error
    // A path or the response of a registry may be part of it.
    const words = { message: cleanText(message), remedy: cleanText(remedy) }
    return { code, ...words, ...(faults.length > 0 ? { faults } : {}), exitCode }
  }
  if (error instanceof ClientError) return { code: cleanLine(error.code), ...textOf(error) }
  const systemWords = explainSystemError(error)
  if (systemWords) return systemWords
  return {
    code: 'internal_error',
    message: `Internal error of sibyl: ${cleanLine(error instanceof Error ? error.message : String(error))}`,
    remedy: 'SIBYL_DEBUG=1 shows where.',
    exitCode: exitCode.failed,
  }
}

const textOf = (error: ClientError): Omit<Explanation, 'code'> => {
  const { network, failed, configuration } = exitCode
  if (error instanceof NetworkError) {
    const message = `No oracle responds at ${originOf(error.url)} (${cleanLine(error.reason)}).`
    const remedy = 'Start one (`sibyl dev` in its folder), or pass another address with --url.'
    return { message, remedy, exitCode: network }
  }
  if (error instanceof UnexpectedResponseError) {
    const message = `This is not an oracle: ${cleanLine(error.message)}`
    return { message, remedy: 'Pass another address with --url.', exitCode: network }
  }
  if (error instanceof ConnectionLostError) {
    const remedy = `To continue: sibyl chat --session ${shellWord(error.sessionId)}`
    return { message: cleanLine(error.message), remedy, exitCode: network }
  }
  if (error instanceof OracleMismatchError) {
    const message = `The identity of this oracle has changed since your first visit: it was ${error.expected} and is now ${error.found.map(cleanLine).join(' and ')}.`
    return { message, remedy: 'If you expect this change, accept it with --trust.', exitCode: configuration }
  }
  if (error instanceof ProblemError) {
    const message = `${cleanLine(error.message)} (${cleanLine(error.code)})`
    return { message, remedy: waitFor(error), exitCode: failed }
  }
  return { message: cleanLine(error.message), remedy: '', exitCode: failed }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

const waitFor = ({ retryAfterSeconds, code }: ProblemError): string => {
  if (code === 'route_not_found') return 'To list the routes: sibyl api GET /openapi.json'
  return retryAfterSeconds === undefined ? '' : `Try again in ${Math.ceil(retryAfterSeconds)} s.`
}

/** An error message for a user. */
interface Explanation {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  readonly message: string
  readonly remedy: string
  readonly faults?: readonly ListedViolation[]
  readonly exitCode: ExitCode
}

/** Explains why the system denied access to a file; undefined for other errors. */
const explainSystemError = (error: unknown): Explanation | undefined => {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined
  if (error.syscall === 'uv_cwd') {
    const message = 'The current folder no longer exists.'
    return { code: 'file_unusable', message, remedy: 'Go to an existing folder: cd', exitCode: exitCode.configuration }
  }
  const words = known[String(error.code)]
  if (!words) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? cleanLine(error.path) : 'A file'
  const [message, remedy] = words
  return {
    code: 'file_unusable',
    message: `${path} ${message} (${error.code}).`,
    remedy,
    exitCode: exitCode.configuration,
  }
}

/** Messages and remedies by system error code. */
const known: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['is not accessible for you', 'Grant yourself the permission, or choose another folder.'],
  EDQUOT: ['cannot be written: your disk quota is used up', 'Free disk space, then run the command again.'],
  EEXIST: ['already exists', 'Move it away, then run the command again.'],
  EISDIR: ['is a folder, but a file is expected', 'Move it away, then run the command again.'],
  ENOSPC: ['cannot be written: the disk is full', 'Free disk space, then run the command again.'],
  ENOTDIR: [
    'is not a folder, or has a parent that is not a folder',
    'Move that file away, then run the command again.',
  ],
  EPERM: ['cannot be changed by you', 'Grant yourself the permission, or choose another folder.'],
  EROFS: ['is on a read-only disk', 'Choose another folder.'],
}
