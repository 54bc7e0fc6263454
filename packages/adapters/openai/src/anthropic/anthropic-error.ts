import type { Refusal, Route, RouteRefusal } from '@sibyl/plugin'
import { retryAfter } from '@sibyl/plugin/host'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
}

/** Returns an error in the form of the Anthropic API, with the code of the oracle. */
export const anthropicError = ({ status, code, detail }: RouteRefusal) => ({
  type: 'error',
  error: {
    type: types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    message: detail ?? code,
    code,
  },
})

/** Answers a refused request in the form of the Anthropic API. */
export const refuse: NonNullable<Route['refuse']> = (_, refusal) =>
  Response.json(anthropicError(refusal), { status: refusal.status })

/** Answers a turn that was refused. */
export const refuseTurn = (refused: Refusal): Response =>
  Response.json(anthropicError(refused), { status: refused.status, headers: retryAfter(refused) })
