import { lookup } from 'node:dns/promises'
import { OracleError } from '../errors/oracle-error.ts'
import { checkTarget, type ResolveName, readTarget } from './checked-target.ts'
import { OutboundFailed } from './outbound-errors.ts'
import { addressRules } from './public-address.ts'

/** Asks the computer's resolver. */
export const lookUp: ResolveName = hostname => lookup(hostname, { all: true, verbatim: true })

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
    await checkTarget(target, lookUp, addressRules(allowPrivate))
  } catch (error) {
    throw error instanceof OracleError ? error : new OutboundFailed(error)
  }
}
