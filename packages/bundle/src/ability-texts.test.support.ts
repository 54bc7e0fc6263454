import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '@sibyl/testing'
import { captured, everythingOn, fixedTools } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'

/** Of a route: the abilities of a bearer, and whether an operator may call it, with either ability. */
interface Security {
  readonly bearer?: readonly string[]
  readonly operator?: readonly string[]
}

/** Boots an oracle with everything; returns the routes and tools by the ability that they need, and the consent texts of the abilities. */
const readAbilities = async () => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl-ability-texts-'))
  const { plugins, parts } = captured()
  await using oracle = await testApp({
    plugins,
    adapters: bundledAdapters(),
    env: everythingOn(home),
  })
  await oracle.app.ready
  const needs = new Map<string, string[]>()
  const add = (ability: string, name: string) => needs.set(ability, [...(needs.get(ability) ?? []), name])
  const { paths } = await (await oracle.actor.request('/openapi.json')).json()
  for (const [path, operations] of Object.entries<Record<string, { security?: Security[] }>>(paths)) {
    for (const [method, { security = [] }] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path}`
      for (const ability of security.flatMap(({ bearer = [] }) => bearer)) add(ability, route)
      if (security.some(({ operator }) => operator)) add('operator', route)
    }
  }
  for (const tools of [...parts.values()].map(fixedTools)) {
    for (const [name, { ability = 'chat/send' }] of Object.entries(tools))
      for (const one of [ability].flat()) add(one, name)
  }
  const areas = ['files/*', 'session/*', 'chat/*', 'entities/*', 'operator/*']
  const texts = new Map(await consentTexts(oracle.app, [...needs.keys(), ...areas]))
  texts.set('operator', texts.get('operator/*') ?? '')
  rmSync(home, { recursive: true, force: true })
  return { needs, texts }
}

/** Returns the texts of scopes on the page where a user consents to an application. */
const consentTexts = async (
  app: { request(path: string, init?: RequestInit): Response | Promise<Response> },
  scopes: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const redirectUri = 'http://127.0.0.1:7777/callback'
  const registration = await app.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Pocket', redirect_uris: [redirectUri] }),
  })
  const { client_id } = await registration.json()
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    scope: scopes.join(' '),
    state: 'state-1',
  })
  const begun = await app.request(`/oauth/authorize?${query}`, { redirect: 'manual' })
  const cookie = begun.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const page = await app.request(new URL(begun.headers.get('location') ?? '').pathname, { headers: { cookie } })
  const html = await page.text()
  return new Map(
    [...html.matchAll(/<span>([^<]+) <code>([^<]+)<\/code>/g)].map(([, text = '', scope = '']) => [scope, text]),
  )
}

/** By ability, and by words of its text, the routes and tools that these words name. */
const named: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'chat/send': {
    'Send messages as you': [
      ...['POST /chat', 'GET /v1/models', 'GET /v1/models/{model}', 'POST /v1/chat/completions', 'POST /v1/responses'],
      ...['POST /openai/v1/chat/completions', 'POST /openai/deployments/{deployment}/chat/completions'],
      ...['POST /v1/messages', 'POST /v1/messages/count_tokens', 'GET /api/tags', 'POST /api/chat'],
      ...['POST /openai/responses'],
      ...['POST /mcp', 'POST /ag-ui', 'POST /a2a', 'POST /a2a/message:send', 'POST /a2a/message:stream'],
    ],
    'read, follow and stop the answers': [
      ...['GET /chat/{id}/stream', 'POST /chat/{id}/stop', 'GET /mcp', 'DELETE /mcp'],
      ...['GET /a2a/tasks', 'GET /a2a/tasks/{id}', 'POST /a2a/tasks/{id}'],
    ],
    'notices of them sent to an address': [
      'POST /a2a/tasks/{id}/pushNotificationConfigs',
      'GET /a2a/tasks/{id}/pushNotificationConfigs',
      'GET /a2a/tasks/{id}/pushNotificationConfigs/{config}',
      'DELETE /a2a/tasks/{id}/pushNotificationConfigs/{config}',
    ],
    'approve or deny tool calls': ['POST /chat/{id}/approvals/{approvalId}'],
    'tools that need no other ability': [...['verify_credential', 'resolve_did', 'preview_ussd_menu', 'mcp_status']],
    'web pages': ['scrape_url', 'crawl_site'],
    code: ['run_code'],
    skills: ['list_skills', 'load_skill', 'read_skill_file', 'run_skill_script'],
    weather: ['get_current_weather', 'get_forecast'],
  },
  'chat/personal': {
    'read and change your files': ['list_files', 'read_file', 'write_file', 'search_files', 'delete_file'],
    memory: ['remember', 'recall', 'forget'],
    tasks: ['preview_task', 'create_task', 'list_tasks', 'cancel_task', 'pause_task', 'resume_task'],
    preferences: ['get_preferences', 'set_preferences'],
    'read your credits': ['get_balance', 'get_usage'],
    claims: ['list_claims'],
    entities: ['get_entity', 'search_entities', 'related_entities'],
    'Matrix rooms': ['list_matrix_rooms'],
    'outputs of code': ['read_output'],
    'submit and dispute claims': ['submit_claim', 'dispute_claim'],
    'read and send SMS of your own phones': ['send_sms', 'list_messages', 'confirm_phone'],
  },
  'session/read': {
    'Read your conversations': ['GET /sessions', 'GET /sessions/{id}'],
    answers: ['GET /v1/responses/{id}', 'GET /openai/responses/{id}'],
    timings: ['GET /sessions/{id}/turns'],
    'pending approvals': ['GET /approvals'],
    'token usage': ['GET /usage'],
    'what the oracle can do': ['GET /capabilities'],
  },
  'session/inspect': { 'what the model is sent': ['GET /sessions/{id}/prompt'] },
  'session/delete': {
    'Delete your conversations': ['DELETE /sessions/{id}'],
    'stored answers': ['DELETE /v1/responses/{id}', 'DELETE /openai/responses/{id}'],
  },
  'files/read': {
    'Read and search your files': [
      'GET /files',
      'GET /files/search',
      'GET /files/content',
      'list_files',
      'read_file',
      'search_files',
    ],
    'old versions': ['GET /files/versions'],
  },
  'files/write': {
    'Add, change': ['PUT /files/content', 'write_file'],
    restore: ['POST /files/versions/{id}/restore'],
    'delete your files': ['DELETE /files/content', 'delete_file'],
    permanently: ['DELETE /files/versions'],
  },
  'memory/read': { 'Read and export what the oracle remembers': ['GET /memory', 'GET /memory/export', 'recall'] },
  'memory/write': { 'Add to what the oracle remembers': ['remember'] },
  'memory/delete': { 'Delete what the oracle remembers': ['DELETE /memory', 'DELETE /memory/{id}', 'forget'] },
  'tasks/read': {
    'Read and preview your tasks': [
      'GET /tasks',
      'POST /tasks/preview',
      'GET /tasks/{id}',
      'preview_task',
      'list_tasks',
    ],
    'their runs': ['GET /tasks/{id}/runs', 'GET /tasks/due'],
  },
  'tasks/write': {
    Create: ['POST /tasks', 'create_task'],
    run: ['POST /tasks/{id}/runs'],
    pause: ['POST /tasks/{id}/pause', 'pause_task'],
    resume: ['POST /tasks/{id}/resume', 'resume_task'],
    'cancel your tasks': ['DELETE /tasks/{id}', 'cancel_task'],
  },
  'user-preferences/read': { 'Read your preferences': ['GET /me/preferences', 'get_preferences'] },
  'user-preferences/write': { 'Change your preferences': ['PATCH /me/preferences', 'set_preferences'] },
  'credits/read': {
    'Read your credit': ['GET /credits', 'get_balance'],
    usage: ['GET /credits/usage', 'GET /credits/usage.csv', 'get_usage'],
  },
  'sandbox/read': { 'stored output of your programs': ['read_output'] },
  'sms/read': { 'Read your SMS': ['GET /sms/messages', 'list_messages'], 'your linked phones': ['GET /sms/phones'] },
  'sms/link': {
    'Link phones to you': ['POST /sms/phones', 'link_phone'],
    'by a code': ['POST /sms/phones/confirm', 'confirm_phone'],
    'remove them': ['DELETE /sms/phones/{id}'],
  },
  'sms/send': { 'Send SMS to your own phones': ['send_sms'] },
  'matrix/read': { 'List the Matrix rooms': ['list_matrix_rooms'] },
  'matrix/send': { 'Write to Matrix rooms': ['send_matrix_message'] },
  'claims/read': {
    'Read claims': ['GET /v1/claims', 'GET /v1/claims/{id}', 'list_claims'],
    collections: ['GET /v1/collections', 'GET /v1/collections/{id}'],
  },
  'claims/submit': {
    'Submit claims': ['POST /v1/claims', 'submit_claim'],
    'dispute decisions': ['POST /v1/claims/{id}/dispute', 'dispute_claim'],
  },
  'claims/evaluate': {
    'Evaluate claims': ['POST /v1/claims/{id}/evaluate', 'evaluate_claim'],
    'confirm or overrule verdicts': ['POST /v1/claims/{id}/confirm'],
    'end disputes': ['POST /v1/claims/{id}/resolve'],
  },
  'claims/manage': {
    'Create, change, close and open collections': ['POST /v1/collections', 'PATCH /v1/collections/{id}'],
  },
  'credentials/read': {
    'Read credentials': ['GET /credentials'],
    'history of their status': ['GET /credentials/{id}'],
  },
  'credentials/issue': { 'Issue credentials': ['POST /credentials/issue', 'issue_credential'] },
  'credentials/revoke': {
    'Revoke credentials permanently': ['POST /credentials/{id}/revoke', 'revoke_credential'],
    'suspend and reinstate': ['POST /credentials/{id}/suspend', 'POST /credentials/{id}/reinstate'],
  },
  'entities/read': {
    'Read and search entities': [
      ...['GET /v1/entities', 'GET /v1/entities/{did}', 'GET /v1/names', 'GET /v1/places', 'GET /v1/search'],
      ...['get_entity', 'search_entities'],
    ],
    history: ['GET /v1/entities/{did}/history', 'GET /v1/entities/{did}/proof'],
    protocols: [
      ...['GET /v1/protocols', 'GET /v1/protocols/{did}', 'GET /v1/protocols/{did}/versions'],
      'GET /v1/protocols/{did}/versions/{version}',
    ],
    graph: ['GET /v1/graph', 'GET /v1/graph/counts', 'GET /v1/graph/neighbors', 'related_entities'],
    changes: ['GET /v1/changes'],
    'list your webhooks': ['GET /v1/webhooks'],
  },
  'entities/write': {
    Register: ['POST /v1/entities', 'create_entity'],
    change: ['PATCH /v1/entities/{did}'],
    relate: ['POST /v1/entities/{did}/relationships', 'DELETE /v1/entities/{did}/relationships', 'relate_entities'],
    'deactivate entities': ['DELETE /v1/entities/{did}'],
    'add and delete webhooks': ['POST /v1/webhooks', 'DELETE /v1/webhooks/{id}'],
  },
  'delegation/read': { 'List your delegations': ['GET /delegation', 'GET /grants'] },
  'delegation/keep': { 'Add delegations': ['POST /delegation', 'POST /grants'] },
  'delegation/delete': {
    'Remove your delegations': ['DELETE /delegation', 'DELETE /delegation/{hash}', 'DELETE /grants/{hash}'],
  },
  'sign-in/read': { 'List the applications': ['GET /oauth/sign-ins'] },
  'sign-in/delete': { 'End the access of applications': ['DELETE /oauth/sign-ins/{id}'] },
  operator: {
    'what it can do': ['GET /capabilities'],
    'pending approvals': ['GET /operator/approvals', 'GET /operator/approvals/pending'],
    'export their data': ['GET /people/{person}/export', 'GET /people/{person}/holds'],
    metrics: ['GET /metrics'],
    'read the state': ['GET /operator/status', 'GET /operator/storage'],
    turns: ['GET /operator/turns', 'GET /operator/traces'],
    'find all users': [
      'GET /operator/people',
      'POST /operator/people/find',
      'POST /operator/people/names',
      'GET /operator/people/{person}',
    ],
    delegations: ['GET /operator/access', 'GET /grants'],
    jobs: ['GET /operator/jobs', 'GET /operator/job-kinds', 'GET /operator/jobs/{id}'],
    'waiting messages': ['GET /operator/outboxes'],
    log: ['GET /operator/log'],
    alerts: ['GET /operator/alerts', 'GET /operator/alert-events'],
    'token usage': ['GET /operator/usage'],
    'API keys': ['GET /api-keys'],
    revocations: ['GET /revocations'],
    SMS: ['GET /sms/outbox', 'POST /sms/thread'],
    'phone menus': ['GET /api/ussd/flow', 'GET /api/ussd/flow/counts'],
    tasks: ['GET /tasks/all', 'GET /tasks/all/due'],
    credits: [
      'GET /credits/accounts',
      'GET /credits/accounts/{did}',
      'GET /credits/days',
      'GET /credits/ledger',
      'GET /credits/spending',
    ],
    'MCP servers': ['GET /mcp/servers'],
    'sign-ins': ['GET /oauth/sign-ins'],
    'sign in as any user by a one-time code': ['POST /oauth/codes'],
    'create and revoke API keys': ['POST /api-keys', 'DELETE /api-keys/{id}'],
    'end sign-ins': ['DELETE /oauth/sign-ins/{id}'],
    'revoke delegations': ['PUT /revocations/{hash}', 'DELETE /grants/{hash}'],
    'erase users': ['DELETE /people/{person}'],
    'keep them from erasure': ['PUT /people/{person}/hold', 'DELETE /people/{person}/hold'],
    'grant credits': ['POST /credits/grants'],
    'send alerts to an address, to your own phone or to a room': [
      'POST /operator/alerts',
      'PUT /operator/alerts/{id}',
      'DELETE /operator/alerts/{id}',
      'POST /operator/alerts/{id}/test',
    ],
    'repeat and cancel jobs and messages': [
      'POST /operator/jobs/{id}/retry',
      'POST /operator/jobs/{id}/cancel',
      'POST /operator/outboxes/retry',
    ],
    'compare models': ['POST /operator/compare'],
    'simulate an SMS': ['POST /sms/inbound/embedded'],
    'confirm changed tools of MCP servers': ['POST /mcp/servers/{name}/confirm'],
    'connect MCP servers again': ['POST /mcp/servers/{name}/reconnect'],
  },
  'me/export': { 'Export all your data': ['GET /me/export'] },
  'me/erase': { 'Erase all your data permanently': ['DELETE /me'] },
}

/** Compares the text of each ability with the routes and tools that need it. Returns those that no words of the text name. */
export const abilityTextViolations = async (): Promise<string[]> => {
  const { needs, texts } = await readAbilities()
  const violations: string[] = []
  // An application cannot have these.
  const granted = [...needs].filter(([ability]) => !ability.startsWith('auth/') && !ability.startsWith('api-key/'))
  for (const [ability, names] of granted) {
    const words = named[ability] ?? {}
    const listed = Object.values(words).flat()
    const [unnamed, gone] = [names.filter(name => !listed.includes(name)), listed.filter(name => !names.includes(name))]
    const missing = Object.keys(words).filter(word => !texts.get(ability)?.includes(word))
    violations.push(...[...unnamed, ...gone, ...missing].map(one => `${ability}: ${one}`))
  }
  for (const area of ['files', 'session', 'chat', 'entities']) {
    for (const [ability, text] of texts) {
      const isMember = ability.startsWith(`${area}/`) && !ability.endsWith('/*')
      if (isMember && !texts.get(`${area}/*`)?.includes(text)) violations.push(`${area}/*: ${text}`)
    }
  }
  const known = Object.keys(named).filter(ability => !needs.has(ability))
  return [...violations, ...known.map(ability => `${ability} is not needed`)]
}
