import type { PageTexts } from './texts/en.ts'

/** The ability to create API keys, which outlive the sign-in. A sign-in has it only if the user allows it by name. */
export const createKeysScope = 'api-key/create'

/** Offered by a phone in place of `*`, which it never grants: nothing that concerns credentials or erases everything. */
const partsOfAll = [
  'chat/*',
  'session/*',
  'files/*',
  'memory/*',
  'tasks/*',
  'user-preferences/*',
  'sms/*',
  'credits/read',
  'entities/*',
  'claims/*',
  'credentials/*',
  'me/export',
]

/** Returns the scopes that a phone can grant for those that were chosen on the first screen. */
export const phoneScopes = (chosen: readonly string[]): string[] => [
  ...new Set(chosen.flatMap(scope => (scope === '*' ? partsOfAll : scope === createKeysScope ? [] : [scope]))),
]

/**
 * Describes all that a scope allows, for the user who grants it. A test of `@sibyl/bundle` compares each English text with the routes
 * and tools that need the ability.
 */
export const scopeText = (
  scope: string,
  { scopes, everythingWith }: Pick<PageTexts, 'scopes' | 'everythingWith'>,
): string => {
  const known = scopes[scope]
  if (known !== undefined) return known
  const [verb = '', ...area] = scope.split('/').toReversed()
  const place = area.toReversed().join('/')
  const ofArea = Object.entries(scopes).flatMap(([one, text]) => (one.startsWith(`${place}/`) ? [text] : []))
  if (verb === '*' && ofArea.length > 0) return ofArea.join('. ')
  const name = place.replaceAll(/[/-]/g, ' ')
  return verb === '*' ? everythingWith(name) : `${capital(verb.replaceAll('-', ' '))}: ${name}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
