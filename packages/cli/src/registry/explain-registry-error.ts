import {
  NetworkError,
  OracleMismatchError,
  ProblemError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from '@sibyl/client'
import type { EntityRegistry } from '@sibyl/plugin-entities/records'
import { cliErrors } from '../errors/cli-errors.ts'
import { CommandError } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import { capitalized } from '../output/format.ts'
import { endSentence, listViolations } from './list-violations.ts'
import { describePlace, type RegistryPlace } from './registry-node.ts'

/** Explains the error responses of a registry and network errors; other errors are returned unchanged. */
export const explainRegistryError = (error: unknown, place: RegistryPlace): unknown => {
  const where = describePlace(place)
  if (error instanceof NetworkError) {
    const remedy = 'Run the command again when it responds: it continues from the current state.'
    return cliErrors.registry_unavailable(`No response from ${where}: ${cleanLine(error.reason)}.`, remedy, {
      cause: error,
    })
  }
  if (error instanceof UnexpectedResponseError || error instanceof ResponseTooLargeError) {
    const message = `The server at ${place.url} is not a registry: ${cleanLine(error.message)}`
    return cliErrors.registry_unavailable(message, 'Name another: --registry-url, REGISTRY_URL.', { cause: error })
  }
  if (error instanceof OracleMismatchError) {
    const message = `The registry at ${place.url} changed during the command.`
    return cliErrors.registry_unavailable(message, 'Find the cause before you run the command again.', { cause: error })
  }
  return error instanceof ProblemError ? explainProblem(error, place) : explainChainError(error)
}

const explainProblem = (error: ProblemError, place: RegistryPlace): CommandError => {
  const where = describePlace(place)
  const code = cleanLine(error.code)
  const text = endSentence(cleanLine(error.problem.detail ?? error.problem.title).slice(0, 1_000))
  const refused = (message: string, remedy: string) => cliErrors.registry_refused(message, remedy, { cause: error })
  if (code === 'route_not_found' || code === 'method_not_allowed') {
    const message = `${place.url} is an oracle without entities.`
    return cliErrors.registry_unavailable(message, 'Use a registry: --registry-url, REGISTRY_URL.', { cause: error })
  }
  if (error.status === 401 || code === 'ucan_untrusted_root' || code === 'scope_missing') {
    const remedy =
      code === 'ucan_untrusted_root'
        ? 'Ask its operator for access with `sibyl token grant`, and store it with `sibyl token accept`.'
        : 'Sign in again: sibyl login. Check the clock of this computer.'
    return cliErrors.access_refused(`${capitalized(where)} denies access: ${text} (${code})`, remedy, { cause: error })
  }
  const violations = error.problem.issues ?? []
  if (violations.length > 0) {
    const remedy = 'Fix each value, and run the command again.'
    return cliErrors.registry_refused(`${capitalized(where)} rejects the input:`, remedy, {
      cause: error,
      faults: listViolations(violations),
    })
  }
  if (error.status >= 500) {
    const message = `${capitalized(where)} is temporarily unavailable: ${text} (${code})`
    return cliErrors.registry_unavailable(message, retry(error), { cause: error })
  }
  const [message, remedy] = known[code] ?? [
    `${capitalized(where)} rejects the request: ${text} (${code})`,
    retry(error),
  ]
  return refused(message, remedy)
}

/** Messages and remedies for error codes of a registry. */
const known: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  etag_stale: [
    'Another controller changed the entity since it was read; your change was not applied.',
    'Run the command again: it shows the current entity.',
  ],
  not_controller: [
    'Only the controller of the entity may do that, and you are not its controller.',
    'Sign in as the controller (sibyl login), or ask them.',
  ],
  entity_deactivated: ['The entity is deactivated and cannot be changed.', 'Create another one.'],
  idempotency_key_reused: [
    'This run already registered something with other answers.',
    'Start over and discard the interrupted run: --fresh',
  ],
}

const retry = ({ retryAfterSeconds, status }: ProblemError): string => {
  if (retryAfterSeconds !== undefined) return `Try again in ${Math.ceil(retryAfterSeconds)} s.`
  return status >= 500 ? 'Try again later.' : ''
}

/** Returns the same registry, with errors thrown as a `CommandError`. */
export const explained = (registry: EntityRegistry, place: RegistryPlace): EntityRegistry => {
  const explain = (error: unknown): never => {
    throw explainRegistryError(error, place)
  }
  return {
    create: (creation, options) => registry.create(creation, options).catch(explain),
    get: did => registry.get(did).catch(explain),
    update: (did, patch, etag) => registry.update(did, patch, etag).catch(explain),
    deactivate: (did, etag) => registry.deactivate(did, etag).catch(explain),
  }
}

/** Codes of `ChainError`s for an unreachable chain. */
const unanswered = new Set(['chain_unreachable', 'chain_mismatch', 'chain_answer_invalid'])

/**
 * Converts a `ChainError` of `@sibyl/registry-ixo` to a `CommandError`; other errors are returned unchanged. The
 * package is optional, so the errors are identified by their codes.
 */
export const explainChainError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof CommandError || !('code' in error)) return error
  const code = String(error.code)
  const violations = 'faults' in error && Array.isArray(error.faults) ? error.faults : []
  if (violations.length > 0) {
    const options = { cause: error, faults: listViolations(violations) }
    return cliErrors.registry_refused('The chain rejects the input:', 'Fix each value.', options)
  }
  const message = cleanLine(error.message)
  if (code === 'chain_account_unfunded') return cliErrors.account_unfunded(message, '', { cause: error })
  if (code === 'chain_transaction_pending' && 'hash' in error) {
    return cliErrors.registry_unavailable(pendingWords(error), remedies[code] ?? '', { cause: error })
  }
  if (unanswered.has(code)) return cliErrors.registry_unavailable(message, remedies[code] ?? '', { cause: error })
  return /^chain_|^entity_|^etag_|^not_controller$|^idempotency_/.test(code)
    ? cliErrors.registry_refused(message, remedies[code] ?? '', { cause: error })
    : error
}

/** Returns the message without the remedy, which the command adds: it knows the key. */
const pendingWords = ({ hash, cause }: Error & { readonly hash: unknown }): string => {
  const reason = cause === undefined ? ' yet' : ': the chain node does not respond'
  return `It is unknown whether the transaction ${cleanLine(String(hash))} is in a block${reason}. It may follow later.`
}

/** Remedies that the messages lack. */
const remedies: Readonly<Record<string, string>> = {
  chain_transaction_pending: 'Run the command again in a minute: it continues from there.',
  chain_fee_too_high: 'Ask the operator of the node.',
}
