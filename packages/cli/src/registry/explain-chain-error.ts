import { cliErrors } from '../errors/cli-errors.ts'
import { CommandError } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import { listViolations } from './list-violations.ts'

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
    return cliErrors.registry_refused('The chain rejects the input:', 'Mend each.', options)
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
