import { UssdOperatorTokenNeeded } from '../gateway/gateway-errors.ts'
import type { RouteContext } from '../gateway/trust.ts'
import { isSameSecret } from '../requests/same-secret.ts'

/** Lets the operator pass, and throws `operator_token_needed` (401) at everybody else. */
export type OperatorLock = (context: RouteContext) => void

/** What a lock is made from. */
export interface OperatorLockSettings {
  /** `USSD_OPERATOR_TOKEN`. */
  readonly token: string | undefined
  /** Whether everybody may pass while no token is set. */
  readonly openWithoutToken?: boolean
}

/** Makes the lock of routes that are the operator's. */
export const makeOperatorLock =
  ({ token, openWithoutToken = false }: OperatorLockSettings): OperatorLock =>
  context => {
    if (token === undefined && openWithoutToken) return
    const given = /^bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
    if (token !== undefined && given !== undefined && isSameSecret(given, token)) return
    context.get('answerHeaders')['www-authenticate'] = 'Bearer realm="sibyl ussd operator"'
    throw new UssdOperatorTokenNeeded(token !== undefined)
  }
