import { isOracleError } from '../errors/is-error.ts'
import { checkTarget, readTarget } from './checked-target.ts'
import { OutboundFailed } from './outbound-errors.ts'
import { addressRules } from './public-address.ts'
import { createResolveName } from './resolve-name.ts'

/**
 * Looks whether `guardedFetch` would send a request to an address, without sending one: to tell somebody early. What holds
 * now may not hold later, so `guardedFetch` looks again.
 *
 * @throws OutboundRefused `outbound_refused`, OutboundFailed `outbound_failed` where the name is not known
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
