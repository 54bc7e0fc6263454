import { createHash } from 'node:crypto'
import type { OracleApp, RouteRecord } from '@sibyl/core'
import { type TestApp, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { allSecrets, captured, everythingOn, temporaryFolder } from './all-plugins.test.support.ts'

/** The routes that ask nobody for a credential, by the reason why they need not. */
const open: Readonly<Record<string, readonly string[]>> = {
  'a stranger has to learn whom and what the oracle is before there can be a credential': [
    'GET /',
    'GET /health',
    'GET /.well-known/oracle.json',
    'GET /.well-known/did.json',
    'GET /did.json',
    'GET /openapi.json',
    'GET /docs',
    'GET /docs/{file}',
  ],
  'a revocation is signed by whoever revokes': ['POST /revocations'],
  'DIDs are resolved by anybody, and their documents hold nothing private': [
    'GET /1.0/identifiers/{did{.+}}',
    'GET /entities/{id}/did.json',
  ],
  'a page without data: it asks for the API key with which it reads': ['GET /explorer', 'GET /explorer/{file}'],
  'who is shown a credential has to be able to check it, and whether it was taken back': [
    'POST /credentials/verify',
    'GET /status-lists/{id}',
  ],
  'whoever has a signed link may see its file, for some minutes': ['GET /files/signed/{entry}'],
  'the weather is nobody’s': ['GET /weather/now'],
  'telecom gateways send no credential; the PIN is asked inside, and requests are counted': [
    'POST /api/ussd',
    'POST /api/ussd/africas-talking',
    'POST /api/ussd/africas-talking/events',
    'POST /api/ussd/arkesel',
    'POST /api/ussd/beem',
    'POST /api/ussd/emergent',
    'GET /api/ussd/hollatags',
    'POST /api/ussd/hubtel',
    'POST /api/ussd/infobip/session/{id}/start',
    'POST /api/ussd/infobip/session/{id}/response',
    'PUT /api/ussd/infobip/session/{id}/response',
    'POST /api/ussd/infobip/session/{id}/end',
    'PUT /api/ussd/infobip/session/{id}/end',
    'POST /api/ussd/nalo',
    'POST /api/ussd/oltranz',
  ],
}

/** The routes whose handlers check for themselves, by what they check. */
const checkedInside: Readonly<Record<string, readonly string[]>> = {
  USSD_OPERATOR_TOKEN: [
    'GET /api/ussd/debug/{sessionId}',
    'GET /api/ussd/sessions',
    'POST /api/ussd/customers/resets',
    'POST /api/ussd/customers/resets/{id}/confirm',
    'POST /api/ussd/customers/unlocks',
    'POST /api/ussd/customers/unlocks/{id}/confirm',
    'POST /api/ussd/customers/exports',
    'POST /api/ussd/customers/erasures',
    'POST /api/ussd/customers/erasures/{id}/confirm',
    'GET /api/ussd/customers/actions',
    'GET /api/ussd/keys',
  ],
  'the credential whose holder it shows': ['GET /me'],
  'the signature of the SMS provider': [
    'POST /sms/inbound/africastalking',
    'POST /sms/reports/africastalking',
    'POST /sms/inbound/infobip',
    'POST /sms/reports/infobip',
    'GET /sms/inbound/kannel',
    'GET /sms/reports/kannel',
  ],
}

/** What somebody without the right is answered: never more than that. */
const shut = [401, 403, 404, 405, 415]

const nameOf = ({ definition: { method, path } }: RouteRecord): string => `${method.toUpperCase()} ${path}`

/** A path of the route, with something in its places. */
const pathOf = ({ definition: { path } }: RouteRecord, place: string): string =>
  path.replace(/\{[^{}]*(\{[^{}]*\})?[^{}]*\}/g, encodeURIComponent(place))

const secretText = (name: string): string => createHash('sha256').update(name).digest('hex')

const boot = async () => {
  const { plugins, parts } = captured()
  const env = { ...everythingOn(temporaryFolder()), ...allSecrets(secretText), LLM_PROVIDER: 'offline' }
  return { oracle: await testApp({ plugins, env }), parts }
}

const call = async (app: OracleApp, route: RouteRecord, bearer: string | undefined): Promise<number> => {
  const takesBody = !['get', 'head'].includes(route.definition.method)
  const answer = await app.request(pathOf(route, 'x'), {
    method: route.definition.method.toUpperCase(),
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(takesBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(takesBody ? { body: '{}' } : {}),
  })
  await answer.body?.cancel()
  return answer.status
}

test('without the right no route answers, but those that are open for a reason', async () => {
  const { oracle, parts } = await boot()
  await using _ = oracle
  const { app } = oracle
  const routes = app.routes()
  const withAccess = (access: string) =>
    routes
      .filter(route => route.access === access)
      .map(nameOf)
      .toSorted()
  expect(withAccess('public')).toEqual(Object.values(open).flat().toSorted())
  expect(withAccess('own')).toEqual(Object.values(checkedInside).flat().toSorted())
  for (const [plugin, { getAuthExcludedRoutes }] of parts) {
    const listed = getAuthExcludedRoutes?.().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const own = routes.filter(({ owner, access }) => owner === plugin && (access === 'public' || access === 'own'))
    if (listed) expect(listed.toSorted()).toEqual(own.map(nameOf).toSorted())
  }
  const stranger = testActor(app)
  const tokens = {
    nobody: () => undefined,
    garbage: () => 'garbage',
    'a forged invocation': async () => `${(await stranger.token()).slice(0, -20)}AAAAAAAAAAAAAAAAAAAA`,
    'somebody who may do something else': () => stranger.token(['tide/read']),
  }
  const answered: string[] = []
  for (const route of routes) {
    if (route.access === 'public') continue
    for (const [who, token] of Object.entries(tokens)) {
      const status = await call(app, route, await token())
      if (!shut.includes(status)) answered.push(`${nameOf(route)} answers ${status} to ${who}`)
      else if (route.access !== 'own' && status !== (who === 'somebody who may do something else' ? 403 : 401)) {
        // No pattern covers the abilities of the operator, which is found before a signature is verified.
        const operators = route.access === 'operator' && (status === 401 || who.startsWith('a forged'))
        if (!operators) answered.push(`${nameOf(route)} answers ${status} to ${who}`)
      }
    }
  }
  expect(answered).toEqual([])
  for (const route of routes.filter(({ access }) => access === 'public')) {
    expect([nameOf(route), await call(app, route, undefined)]).not.toEqual([
      nameOf(route),
      expect.toSatisfy((status: number) => status >= 500),
    ])
  }
})

/** What is one person's own, made in every way that there is; each holds the words. */
const leave = async ({ actor, chat }: TestApp, words: string): Promise<void> => {
  await chat(`Remember that ${words} is my pump`, { session: `session-${words}` })
  const own = [
    await actor.request('/me/preferences', { method: 'PATCH', json: { name: words } }),
    await actor.request('/tasks', { json: { what: words, when: { inMinutes: 30 } } }),
    await actor.request(`/files/content?path=${words}.txt`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: words,
    }),
  ]
  expect(await Promise.all(own.map(async answer => [answer.ok, await answer.text()]))).toEqual(
    own.map(() => [true, expect.any(String)]),
  )
}

/** A name of the same form, which nothing has. */
const neverMade = (text: string): string =>
  text.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, it => ({ 9: '0', f: 'a', F: 'A', z: 'g', Z: 'G' })[it] ?? following(it))

const following = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1)

test("another user can neither read nor change a user's own data", async () => {
  const { oracle } = await boot()
  await using _ = oracle
  const { app, actor } = oracle
  const words = 'zanzibar8812'
  await leave(oracle, words)
  const other = testActor(app)
  const mine = app.routes().filter(({ access }) => typeof access === 'object' && 'ucan' in access)
  const plain = mine.filter(({ definition: { method, path } }) => method === 'get' && !path.includes('{'))
  const read = async (who: typeof actor) => {
    const texts = new Map<string, string>()
    for (const route of plain) texts.set(nameOf(route), await (await who.request(pathOf(route, ''))).text())
    return texts
  }
  const before = await read(actor)
  const reported = [...before].filter(([, text]) => text.includes(words)).map(([name]) => name)
  expect(reported).toEqual(
    expect.arrayContaining(['GET /sessions', 'GET /memory', 'GET /me/preferences', 'GET /tasks', 'GET /files']),
  )
  const places = reported.flatMap(name =>
    [...before.get(name)!.matchAll(/"(?:id|path|name|hash)":"([^"]{1,200})"/g)].map(([, place = '']) => place),
  )
  const leaks = [...(await read(other))].filter(([, text]) => text.includes(words)).map(([name]) => name)
  for (const route of mine) {
    const method = route.definition.method.toUpperCase()
    const place = (text: string) => `${pathOf(route, text)}?path=${encodeURIComponent(text)}`
    const statusOf = async (text: string) => (await other.request(place(text), { method })).status
    const usual = await statusOf('what-never-was')
    for (const text of new Set(places)) {
      const answer = await other.request(place(text), { method })
      const output = await answer.text()
      const isUsual = answer.status === usual || answer.status === (await statusOf(neverMade(text)))
      if (!isUsual || (output.includes(words) && !text.includes(words))) {
        leaks.push(`${nameOf(route)} with ${text}: ${answer.status} ${output.slice(0, 100)}`)
      }
    }
  }
  expect(leaks).toEqual([])
  const after = await read(actor)
  for (const name of reported) expect([name, after.get(name)]).toEqual([name, expect.stringContaining(words)])
})
