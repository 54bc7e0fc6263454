import { AccountUnfundedError } from '../errors/account-unfunded-error.ts'
import { CommandError } from '../errors/command-error.ts'
import { RegistryRefusedError } from '../errors/registry-refused-error.ts'
import { RegistryUnavailableError } from '../errors/registry-unavailable-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import { listFaults } from './list-faults.ts'

/** Codes of `ChainError`s that mean that the chain could not be asked, or did not answer. */
const unanswered = new Set(['chain_unreachable', 'chain_mismatch', 'chain_answer_invalid'])

/**
 * Puts a `ChainError` of `@sibyl/registry-ixo` into a `CommandError`; other errors come back as they are. The package is
 * optional: they are told by their codes.
 */
export const explainChainError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof CommandError || !('code' in error)) return error
  const code = String(error.code)
  const faults = 'faults' in error && Array.isArray(error.faults) ? error.faults : []
  if (faults.length > 0) {
    const options = { cause: error, faults: listFaults(faults) }
    return new RegistryRefusedError('The chain does not take it as it is:', 'Mend each.', options)
  }
  const message = cleanLine(error.message)
  if (code === 'chain_account_unfunded') return new AccountUnfundedError(message, '', { cause: error })
  if (code === 'chain_transaction_pending' && 'hash' in error) {
    return new RegistryUnavailableError(pendingWords(error), remedies[code] ?? '', { cause: error })
  }
  if (unanswered.has(code)) return new RegistryUnavailableError(message, remedies[code] ?? '', { cause: error })
  return /^chain_|^entity_|^etag_|^not_controller$|^idempotency_/.test(code)
    ? new RegistryRefusedError(message, remedies[code] ?? '', { cause: error })
    : error
}

/** The remedy is the command's, which knows of the key. */
const pendingWords = ({ hash, cause }: Error & { readonly hash: unknown }): string => {
  const reason = cause === undefined ? ' yet' : ": the chain's node does not answer"
  return `Whether the transaction ${cleanLine(String(hash))} is in a block is not known${reason}. It may come later.`
}

/** What the message does not say itself. */
const remedies: Readonly<Record<string, string>> = {
  chain_transaction_pending: 'Run the command again in a minute: it goes on from there.',
  chain_fee_too_high: 'Ask the operator of the node why.',
}
