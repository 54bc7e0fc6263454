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

/** Describes a scope for the user who grants it. */
export const scopeText = (scope: string): string => {
  const known = texts[scope]
  if (known !== undefined) return known
  const [verb = '', ...area] = scope.split('/').toReversed()
  const place = area.toReversed().join(' ').replaceAll('-', ' ')
  return verb === '*' ? `Everything with your ${place}` : `${capital(verb.replaceAll('-', ' '))}: ${place}`
}

const texts: Readonly<Record<string, string>> = {
  '*': 'Everything that you can do here',
  'chat/*': 'Send messages as you, and use your personal data in conversations',
  'chat/send': 'Send messages as you',
  'chat/personal': 'Use your personal data in conversations',
  'session/*': 'Read and delete your conversations',
  'session/read': 'Read your conversations',
  'session/inspect': 'Read what the model is sent in your conversations',
  'session/delete': 'Delete your conversations',
  'files/*': 'Read, add and delete your files',
  'files/read': 'Read your files',
  'files/write': 'Add, change and delete your files',
  'memory/*': 'Read and delete what the oracle remembers about you',
  'memory/read': 'Read what the oracle remembers about you',
  'tasks/*': 'Read and schedule your tasks',
  'user-preferences/*': 'Read and change your language, time zone and other preferences',
  'sms/*': 'Read your SMS, and link your phones',
  'credits/read': 'Read your credits',
  'entities/*': 'Read and change digital twins',
  'claims/*': 'Submit and decide claims',
  'credentials/*': 'Read and issue credentials',
  'me/*': 'Export and erase all your data',
  'me/export': 'Export all your data',
  'operator/*': 'Operate this oracle: read its state and the data of all users, and change them',
  'operator/read': 'Read the state of this oracle and the data of all users, as its operator',
  'operator/write': 'Change the state of this oracle and the data of users, as its operator',
  'api-key/read': 'List your API keys',
  'api-key/delete': 'Revoke your API keys',
  [createKeysScope]: 'Create API keys that act as you, also after this sign-in has ended',
  'me/erase': 'Erase all your data permanently',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
