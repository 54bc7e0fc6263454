import type { RouteOptions } from '@sibyl/plugin'
import { ussdErrors } from '../errors/ussd-errors.ts'
import { addressLimit } from '../gateway/gateway.ts'
import { isSameSecret } from '../requests/same-secret.ts'

/** Options of operator routes: the token is checked before the body of a request is read. */
export type OperatorLock = Required<Pick<RouteOptions, 'admit' | 'rateLimit'>>

export const operatorOnly = 'For the operator, with `USSD_OPERATOR_TOKEN` as bearer, in every environment.'

export const operatorErrors = [ussdErrors.operator_token_needed, ussdErrors.rate_limited]

/**
 * Creates the access check of operator routes; with `openWithoutToken`, any caller is admitted while no token is set.
 */
export const createOperatorLock = (token: string | undefined, openWithoutToken = false): OperatorLock => ({
  rateLimit: addressLimit,
  admit: context => {
    if (token === undefined && openWithoutToken) return undefined
    const given = /^bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
    if (token !== undefined && given !== undefined && isSameSecret(given, token)) return undefined
    context.get('answerHeaders')['www-authenticate'] = 'Bearer realm="sibyl ussd operator"'
    throw token === undefined ? ussdErrors.operator_token_unset() : ussdErrors.operator_token_needed()
  },
})
