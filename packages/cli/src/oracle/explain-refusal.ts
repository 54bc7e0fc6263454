import { ProblemError } from '@sibyl/client'
import { InvalidMintRequestError } from '@sibyl/identity'
import { cliErrors } from '../errors/cli-errors.ts'
import { isCurrent, type KeptDelegation } from '../home/kept-delegations.ts'
import { cleanLine } from '../output/clean-text.ts'

/** A denied access. */
interface Refused {
  readonly did: string
  /** The address of the oracle. */
  readonly url: string
  /** The stored delegation of the user for this oracle. */
  readonly delegation: KeptDelegation | undefined
}

/** Returns instructions to get access, on one line that ends with the command. */
export const howToGetAccess = ({ did, url }: Pick<Refused, 'did' | 'url'>): string =>
  `If you operate it, add your DID to ORACLE_CONTROLLERS; otherwise ask a controller to run: sibyl token grant ${did} --url ${url}`

/**
 * Explains an error to the user, with a remedy, if the oracle denies access.
 *
 * @returns an `access_refused`, or the error itself when it has another cause
 */
export const explainRefusal = (error: unknown, refused: Refused): unknown => {
  const reason = reasonOf(error, refused.delegation)
  return reason === undefined ? error : cliErrors.access_refused(reason, howToGetAccess(refused), { cause: error })
}

const reasonOf = (error: unknown, delegation: KeptDelegation | undefined): string | undefined => {
  const from = cleanLine(delegation?.issuer ?? '')
  if (error instanceof InvalidMintRequestError && error.reason === 'capability_escalated' && delegation) {
    return `Your delegation from ${from} allows only ${delegation.abilities.join(' ')} (${error.code}).`
  }
  if (!(error instanceof ProblemError)) return undefined
  if (error.code === 'ucan_revoked' && delegation) {
    return `Your delegation from ${from}, or one that it depends on, was revoked (ucan_revoked).`
  }
  if (error.code !== 'ucan_untrusted_root') return undefined
  if (!delegation) return 'This oracle requires a delegation from one of its controllers (ucan_untrusted_root).'
  return isCurrent(delegation)
    ? `The chain of your delegation from ${from} does not start with a controller of this oracle (ucan_untrusted_root).`
    : `Your delegation from ${from} expired at ${delegation.expiresAt} (ucan_untrusted_root).`
}
