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

/** Describes all that a scope allows, for the user who grants it. */
export const scopeText = (scope: string): string => {
  const known = texts[scope]
  if (known !== undefined) return known
  const [verb = '', ...area] = scope.split('/').toReversed()
  const place = area.toReversed().join('/')
  const ofArea = Object.entries(texts).flatMap(([one, text]) => (one.startsWith(`${place}/`) ? [text] : []))
  if (verb === '*' && ofArea.length > 0) return ofArea.join('. ')
  const name = place.replaceAll(/[/-]/g, ' ')
  return verb === '*' ? `Everything with your ${name}` : `${capital(verb.replaceAll('-', ' '))}: ${name}`
}

/** A test of `@sibyl/bundle` compares each text with the routes and tools that need the ability. */
const texts: Readonly<Record<string, string>> = {
  '*': 'Everything that you can do here',
  'chat/send':
    'Send messages as you, read, follow and stop the answers, have notices of them sent to an address, approve or deny tool calls, and use ' +
    'tools that need no other ability, such as web pages, code, skills and the weather',
  'chat/personal':
    'Let conversations use your personal data: read and change your files, memory, tasks and preferences, read your credits, claims, ' +
    'entities, Matrix rooms and outputs of code, submit and dispute claims, and read and send SMS of your own phones',
  'session/read':
    'Read your conversations with their answers and timings, your pending approvals, your token usage, and what the oracle can do',
  'session/inspect': 'Read what the model is sent in your conversations',
  'session/delete': 'Delete your conversations and stored answers',
  'files/read': 'Read and search your files, and their old versions',
  'files/write': 'Add, change, restore and delete your files, also permanently',
  'memory/read': 'Read and export what the oracle remembers about you',
  'memory/write': 'Add to what the oracle remembers about you',
  'memory/delete': 'Delete what the oracle remembers about you',
  'tasks/read': 'Read and preview your tasks, and read their runs',
  'tasks/write': 'Create, run, pause, resume and cancel your tasks',
  'user-preferences/read': 'Read your preferences, such as language and time zone',
  'user-preferences/write': 'Change your preferences, such as language and time zone',
  'credits/read': 'Read your credit, your usage and the prices',
  'sandbox/read': 'Read the stored output of your programs',
  'sms/read': 'Read your SMS, and list your linked phones',
  'sms/link': 'Link phones to you by a code, and remove them',
  'sms/send': 'Send SMS to your own phones',
  'sms/send-others': 'Send SMS to any phone',
  'matrix/read': 'List the Matrix rooms to which the oracle may write for you',
  'matrix/send': 'Write to Matrix rooms as you',
  'claims/read': 'Read claims, and the collections that they belong to',
  'claims/submit': 'Submit claims as you, and dispute decisions about them',
  'claims/evaluate':
    'Evaluate claims, confirm or overrule verdicts, and end disputes; an approved claim becomes a credential',
  'claims/manage': 'Create, change, close and open collections of claims',
  'credentials/read': 'Read credentials, with the history of their status',
  'credentials/issue': 'Issue credentials that the oracle signs',
  'credentials/revoke': 'Revoke credentials permanently, suspend and reinstate them',
  'entities/read': 'Read and search entities, their history, protocols, graph and changes, and list your webhooks',
  'entities/write': 'Register, change, relate and deactivate entities as you, and add and delete webhooks',
  'delegation/read': 'List your delegations to the oracle',
  'delegation/keep': 'Add delegations, so that the oracle can act for you at other services',
  'delegation/delete': 'Remove your delegations to the oracle',
  'sign-in/read': 'List the applications that act for you',
  'sign-in/delete': 'End the access of applications that act for you',
  'api-key/read': 'List your API keys',
  'api-key/delete': 'Revoke your API keys',
  [createKeysScope]: 'Create API keys that act as you, also after this sign-in has ended',
  'me/export': 'Export all your data',
  'me/erase': 'Erase all your data permanently',
  'operator/read':
    'As the operator, read the state, jobs, waiting messages, log, metrics, alerts, turns and token usage of this oracle, what it can do, its ' +
    'phone menus and MCP servers; find all users and export their data; read their pending approvals, API keys, sign-ins, delegations and ' +
    'revocations, tasks, SMS and credits',
  'operator/write':
    'As the operator, sign in as any user by a one-time code, create and revoke API keys, end sign-ins and revoke delegations, erase users, keep them from erasure, grant ' +
    'credits, send alerts to an address, to your own phone or to a room, repeat and cancel jobs and messages, compare models, simulate an SMS, ' +
    'connect MCP servers again, and confirm changed tools of MCP servers',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
