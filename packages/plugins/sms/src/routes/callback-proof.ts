import { hash, timingSafeEqual } from 'node:crypto'
import type { Route } from '@sibyl/plugin'

/** What a route's code gets of a request. */
export type RouteContext = Parameters<Route['handle']>[0]

/** Says whether a request comes from a provider: it carries the secret that the operator entered there. */
export type CallbackProof = (context: RouteContext) => boolean

const longest = 1_000

/**
 * Makes the test for calls of providers. They may carry the secret in the query (`?secret=`), in the header `x-sms-secret`,
 * or as the password of HTTP Basic (RFC 7617): the same for all, since consoles differ in what can be entered. Compared in
 * a time that tells nothing about it.
 */
export const callbackProof =
  (secret: string | undefined): CallbackProof =>
  ({ req }) => {
    if (secret === undefined) return false
    const given = [req.query('secret'), req.header('x-sms-secret'), passwordIn(req.header('authorization'))]
    return given.some(one => one !== undefined && isSame(one, secret))
  }

const passwordIn = (authorization: string | undefined): string | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/=]{1,1000}) *$/i.exec(authorization ?? '')?.[1]
  const pair = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  return pair ? pair.slice(pair.indexOf(':') + 1) : undefined
}

const isSame = (given: string, secret: string): boolean =>
  given.length <= longest && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
