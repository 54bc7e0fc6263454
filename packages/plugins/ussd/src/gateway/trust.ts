import type { AddressList, Route } from '@sibyl/plugin'
import { isSameSecret } from '../requests/same-secret.ts'

/** Context of a route's handler. */
export type RouteContext = Parameters<Route['handle']>[0]

/** Settings by which telecom gateways are recognized. */
export interface TrustSettings {
  readonly USSD_TRUSTED_GATEWAYS?: AddressList | undefined
  readonly USSD_GATEWAY_SECRET?: string | undefined
}

/** Returns whether a request comes from a telecom gateway that the operator named, by its address or by the shared secret. */
export type Trust = (context: RouteContext) => boolean

/** Creates the test for trusted gateways. */
export const makeTrust = ({ USSD_TRUSTED_GATEWAYS: list, USSD_GATEWAY_SECRET: secret }: TrustSettings): Trust => {
  return context => {
    const address = context.get('clientAddress')
    if (list && address !== undefined && list.has(address)) return true
    const given = secret === undefined ? undefined : context.req.header('x-gateway-secret')
    return secret !== undefined && given !== undefined && isSameSecret(given, secret)
  }
}
