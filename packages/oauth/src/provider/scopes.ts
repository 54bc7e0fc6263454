import { abilityCovers } from '@sibyl/plugin'
import { createKeysScope, phoneScopes } from '../page/scope-text.ts'
import { consoleClientId } from './provider-names.ts'

/** Abilities on API keys that the console can have. */
const keyScopes: ReadonlySet<string> = new Set(['api-key/read', 'api-key/delete', createKeysScope])

/** Maximum scopes of one request. */
const maxScopes = 64

const form = /^(\*|[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+))$/

/** Scopes of clients that name none: messages with the user's own data, and their conversations. */
export const usualScopes: readonly string[] = ['chat/*', 'session/*']

/**
 * Returns the scopes of a request that can be granted: abilities, except those that concern credentials. Others are left out.
 *
 * @param clientId The console also lists, revokes and creates API keys.
 */
export const grantableScopes = (text: string | undefined, clientId?: string): string[] => {
  const scopes = [...new Set((text ?? '').split(' '))].filter(
    scope =>
      scope.length <= 200 &&
      form.test(scope) &&
      !scope.startsWith('auth/') &&
      (!scope.startsWith('api-key/') || (clientId === consoleClientId && keyScopes.has(scope))),
  )
  return scopes.length > 0 ? scopes.slice(0, maxScopes) : [...usualScopes]
}

/** The scope of an ID token with the DID of the user; no ability. */
export const openid = 'openid'

/** Returns whether a client requests an ID token. */
export const wantsIdToken = (scope: unknown): boolean =>
  String(scope ?? '')
    .split(' ')
    .includes(openid)

/** Returns a scope without that of an ID token. */
export const withoutOpenid = (scope: string): string =>
  scope
    .split(' ')
    .filter(one => one !== openid)
    .join(' ')

/** Returns whether a client requested a scope, or it is a part of a requested `*` that a phone grants. */
export const isRequested = (scope: string, requested: readonly string[]): boolean =>
  requested.includes(scope) || (requested.includes('*') && phoneScopes(['*']).includes(scope))

/** Returns the part of one scope that these abilities cover. */
export const coveredPart = (scope: string, held: readonly string[]): string[] =>
  held.some(ability => abilityCovers(ability, scope)) ? [scope] : held.filter(ability => abilityCovers(scope, ability))
