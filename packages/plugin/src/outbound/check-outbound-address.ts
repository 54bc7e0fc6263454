import { isOracleError } from '../errors/is-error.ts'
import { checkTarget, readTarget } from './checked-target.ts'
import { OutboundFailed } from './outbound-errors.ts'
import { addressRules } from './public-address.ts'
import { createResolveName } from './resolve-name.ts'

/**
 * Checks whether `guardedFetch` would send a request to an address, without sending one, for an early error. The result
 * may change later, so `guardedFetch` checks again.
 *
 * @throws OutboundRefused `outbound_refused`, OutboundFailed `outbound_failed` when the name cannot be resolved
 */
export const checkOutboundAddress = async (
  url: string | URL,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): Promise<void> => {
  const target = readTarget(url)
  try {
    await checkTarget(target, createResolveName(), addressRules(allowPrivate))
  } catch (error) {
    throw isOracleError(error) ? error : new OutboundFailed(error)
  }
}
