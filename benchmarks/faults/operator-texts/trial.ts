// Sends alerts as a delegated operator, follows tools with a key that is revoked, searches routes for phone numbers in paths and
// queries, and compares the texts of abilities with the routes and tools that need them.
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { abilityTextViolations } from '@sibyl/bundle/testing'
import { createSigningKey } from '@sibyl/identity'
import { delegatedActor, testApp } from '@sibyl/testing'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const operatorToken = 'operator-token-of-the-trial-01'
const own = '+260971234567'
const stranger = '+260970000000'
const controller = createSigningKey()
await using oracle = await testApp({
  plugins: bundledPlugins().filter(({ name }) => ['sms', 'ussd', 'weather'].includes(name)),
  adapters: bundledAdapters(),
  env: {
    SMS_PROVIDER: 'embedded:',
    ORACLE_OPERATOR_TOKEN: operatorToken,
    USSD_OPERATOR_TOKEN: operatorToken,
    ORACLE_CONTROLLERS: controller.did,
    ORACLE_ACCESS: 'delegated',
  },
})
const { app } = oracle
const operator = await delegatedActor(
  app,
  { key: controller },
  { abilities: ['operator/read', 'operator/write', 'api-key/*', 'sms/*', 'chat/*'] },
)
const asHost = async (path: string) =>
  (await app.request(path, { headers: { authorization: `Bearer ${operatorToken}` } })).json()

await operator.request('/sms/phones', { json: { to: own } })
const [{ text = '' } = {}] = (await asHost('/sms/outbox')).messages as { text?: string }[]
await operator.request('/sms/phones/confirm', { json: { to: own, code: /\d{6}/.exec(text)?.[0] } })

const rule = { metric: 'dead_jobs', comparison: 'above', threshold: 0, minutes: 1, quietMinutes: 0 }
const create = (sms: string) =>
  operator.request('/operator/alerts', { json: { ...rule, name: 'Fails', target: { sms } } })
const change = (id: string, sms: string) =>
  operator.request(`/operator/alerts/${id}`, { method: 'PUT', json: { ...rule, name: 'Fails', target: { sms } } })
const toStrangers: string[] = []
if ((await create(stranger)).status < 400) toStrangers.push('a new alert')
const tests: number[] = []
for (let round = 0; round < 4; round += 1) {
  const { id } = (await (await create(own)).json()) as { id: string }
  if ((await change(id, stranger)).status < 400) toStrangers.push('a changed alert')
  for (let count = 0; count < 5; count += 1) {
    tests.push((await operator.request(`/operator/alerts/${id}/test`, { method: 'POST' })).status)
  }
  await operator.request(`/operator/alerts/${id}`, { method: 'DELETE' })
}
const sent = tests.filter(status => status === 202).length

const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
const mcp = (body: object, headers: Record<string, string>) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'trial', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const created = await operator.request('/api-keys', {
  json: { name: 'm', scopes: ['chat/send'] },
  abilities: ['api-key/create', 'chat/*'],
})
const { key, id: keyId } = (await created.json()) as { key: string; id: string }
const followed = await mcp(
  { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, _meta } },
  { authorization: `Bearer ${key}`, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
)
const stream = followed.body!.pipeThrough(new TextDecoderStream()).getReader()
await stream.read()
await operator.request(`/api-keys/${keyId}`, { method: 'DELETE' })
const authorization = `Bearer ${await operator.token(['chat/send'])}`
const clientInfo = { name: 'trial', version: '1' }
const begun = await mcp(
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
  { authorization },
)
await begun.text()
const loaded = await mcp(
  { method: 'tools/call', params: { name: 'load_capability', arguments: { names: ['weather'] } } },
  {
    authorization: `Bearer ${await operator.token(['chat/send'])}`,
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
  },
)
const hasChanged = (await loaded.text()).includes('get_current_weather')
const { done, value = '' } = await stream.read()
const heard = done ? [] : [value]

type Parameter = { readonly in: string; readonly name: string }
const { paths } = (await (await app.request('/openapi.json')).json()) as {
  paths: Record<string, Record<string, { parameters?: readonly Parameter[] }>>
}
// Providers of USSD and SMS call with a number in the query: their form is theirs.
const isOfProvider = (path: string) => /^\/(sms\/(inbound|reports)|api\/ussd)\//.test(path)
const inUrls = Object.entries(paths).flatMap(([path, methods]) =>
  isOfProvider(path)
    ? []
    : Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.flatMap(({ in: where, name }) =>
          /phone|msisdn|mobile/i.test(name) ? [`${path} ${where} ${name}`] : [],
        ),
      ),
)
for (const path of [`/people/${encodeURIComponent(own)}/export`, `/operator/people?q=${encodeURIComponent(own)}`]) {
  const response = await app.request(path, { headers: { authorization: `Bearer ${operatorToken}` } })
  const { people = [] } = (await response.json()) as { people?: unknown[] }
  if (response.status < 400 && (people.length > 0 || path.startsWith('/people/'))) inUrls.push(path)
}

announceOracle('in process', app.identity.did)
reportTrial({
  tried: {
    'tests of alerts': tests.length,
    'tests that were sent': sent,
    'changed lists of tools': hasChanged ? 1 : 0,
    routes: Object.keys(paths).length,
  },
  violations: {
    'alerts to phones of others': toStrangers,
    'tests beyond five in an hour': tests
      .filter(status => status === 202)
      .slice(5)
      .map(String),
    'parts of a stream after its key was revoked': heard,
    'phone numbers in paths and queries': inUrls,
    'abilities wider than their text': await abilityTextViolations(),
  },
})
