import { mintDelegation, type SigningKey } from '@sibyl/identity'
import { type TestActor, testActor } from '@sibyl/testing'
import { RawConnection } from '../frame/raw-http.ts'
import type { ListeningProcess } from './listening-process.ts'
import type { Canaries } from './make-canaries.ts'
import type { Places } from './places.ts'
import { providerMoods } from './upstream.ts'

/** Further values of a tour that must not appear anywhere. */
export interface TourResult {
  readonly requests: number
  /** Invocations that were presented. */
  readonly tokens: readonly string[]
  /** Bearers that were handed out, once, to who asked. */
  readonly bearers: readonly string[]
}

const chatsAtOnce = 4

interface Operation {
  readonly method: string
  readonly path: string
}

/** Calls every route in every way, rightly and wrongly, and chats with a provider in every mood. */
export const tour = async (
  oracle: ListeningProcess,
  canaries: Canaries,
  key: SigningKey,
  places: Places,
  sessions: number,
): Promise<TourResult> => {
  const tokens: string[] = []
  const bearers: string[] = []
  let requests = 0
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    requests += 1
    const token = new Headers(init.headers).get('authorization')?.slice('Bearer '.length)
    if (token?.startsWith('ey')) tokens.push(token)
    const answer = await fetch(oracle.url + path, { redirect: 'manual', ...init })
    let text =
      path.startsWith('/operator/log') && answer.ok ? await readFor(answer, logMs) : await answer.clone().text()
    const bearer = path === '/auth/token' && answer.ok ? (JSON.parse(text) as { token?: string }).token : undefined
    if (bearer !== undefined) {
      bearers.push(bearer)
      text = text.replace(bearer, '')
    }
    places.add('answers', `${JSON.stringify([...answer.headers])}\n${text}`)
    return answer
  }
  const actor = testActor({ request: call, identity: { did: oracle.did } }, Date.now, key)

  await everyRoute(call, actor, canaries)
  await everyMood(call, actor, sessions)
  await everythingElse(call, actor, canaries, oracle.did)
  await rawRequests(oracle.url, await actor.token(), canaries, places)
  return { requests, tokens, bearers }
}

/** Time for which the live log is read, which has no end, in milliseconds. */
const logMs = 500

/** Reads a stream for a time, and closes it. */
const readFor = async (answer: Response, milliseconds: number): Promise<string> => {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const timer = setTimeout(() => void reader?.cancel(), milliseconds)
  let text = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
  clearTimeout(timer)
  return text
}

type Call = (path: string, init?: RequestInit) => Promise<Response>

const everyRoute = async (call: Call, actor: TestActor, canaries: Canaries): Promise<void> => {
  const document = (await (await call('/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> }
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, 'x') })),
  )
  const { operatorToken, apiKey, pluginApiKey, phone, mnemonic, pluginSecret } = canaries
  const wrong = { secret: pluginSecret, apiKey, mnemonic, phone, token: operatorToken, message: { [apiKey]: mnemonic } }
  for (const { method, path } of operations) {
    const bodies =
      method === 'GET' || method === 'HEAD' ? [undefined] : [undefined, JSON.stringify(wrong), `{"${apiKey}`]
    const bearers = [undefined, operatorToken, apiKey, pluginApiKey, 'wrong', await actor.token(), await actor.token()]
    for (const [index, bearer] of bearers.entries()) {
      const body = bodies[index % bodies.length]
      const headers = {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      await call(path, { method, headers, ...(body === undefined ? {} : { body }) })
    }
    const token = await actor.token()
    const query = new URLSearchParams({ token, access_token: operatorToken, api_key: apiKey, phone })
    await call(`${path}?${query}`, {
      method,
      headers: { referer: `http://x/?t=${token}`, cookie: `t=${token}; k=${apiKey}` },
    })
    await call(`${path}/${encodeURIComponent(apiKey)}/${token}`, {
      method,
      headers: { 'user-agent': apiKey, 'x-api-key': apiKey },
    })
  }
}

/** Chats in sessions of their own, a few at once. */
const everyMood = async (call: Call, actor: TestActor, sessions: number): Promise<void> => {
  const chats = Array.from({ length: sessions }, (_, session) =>
    providerMoods.map((mood, index) => ({ mood, id: `mood-${session}-${index}` })),
  ).flat()
  const work = async () => {
    for (let chat = chats.shift(); chat; chat = chats.shift()) await moodyChat(actor, chat.id, chat.mood)
  }
  await Promise.all(Array.from({ length: chatsAtOnce }, work))
  await actor.request('/sessions')
  await actor.request('/sessions/mood-0-0', { method: 'DELETE' })
  await call('/health')
}

const moodyChat = async (actor: TestActor, id: string, mood: string): Promise<void> => {
  const answer = await actor.request('/chat', { json: { id, message: `please ${mood}` } })
  const text = await answer.text()
  const approval = /"approvalId":"([^"]+)"/.exec(text)?.[1]
  if (approval) await actor.request(`/chat/${id}/approvals/${approval}`, { json: { decision: 'once' } })
  await actor.request(`/sessions/${id}`)
  const lastEvent = text.match(/^id: (.+)$/m)?.[1] ?? 'x:1'
  await actor.request(`/chat/${id}/stream`, { headers: { 'last-event-id': lastEvent } })
  await actor.request('/chat', { json: { id, trigger: 'regenerate-message' } })
  await actor.request(`/chat/${id}/stop`, { method: 'POST' })
}

const everythingElse = async (call: Call, actor: TestActor, canaries: Canaries, did: string): Promise<void> => {
  for (const path of ['/leaky/tell', '/leaky/store', '/leaky/job', '/leaky/person'])
    await call(path, { method: 'POST' })
  for (let time = 0; time < 60; time += 1) await call('/leaky/fail')
  for (const bearer of [canaries.pluginApiKey, canaries.apiKey, canaries.operatorToken]) {
    for (const path of ['/leaky/keyed', '/leaky/operator', '/sessions', '/capabilities', '/metrics', '/usage']) {
      await call(path, { headers: { authorization: `Bearer ${bearer}` } })
    }
  }
  const exchanged = await actor.request('/auth/token', { method: 'POST' })
  const { token } = (await exchanged.json().catch(() => ({}))) as { token?: string }
  for (const path of ['/sessions', `/sessions?token=${token}`, `/nowhere/${token}`]) {
    await call(path, { headers: { authorization: `Bearer ${token}` } })
  }
  const delegation = await mintDelegation({
    key: actor.key,
    audience: did,
    resource: 'calendar:x',
    abilities: ['event/create'],
  })
  for (const body of [{ delegation }, { token: delegation }, { ucan: delegation }, {}]) {
    await actor.request('/delegation', { json: body })
  }
  await actor.request('/auth/token', { method: 'DELETE' })
  for (const path of ['/docs', '/openapi.json', '/.well-known/oracle.json', '/.well-known/did.json']) await call(path)
}

/** Sends requests that `fetch` cannot send. */
const rawRequests = async (url: string, token: string, { apiKey }: Canaries, places: Places): Promise<void> => {
  for (const text of [
    `GET /sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nBad Header: ${apiKey}\r\n\r\n`,
    `GET /${apiKey}/${token} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
    `${token} / HTTP/1.1\r\n\r\n`,
    `POST /chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET /sessions HTTP/1.1\r\nHost: localhost\r\nX: ${token.repeat(40)}\r\n\r\n`,
    `GET /?${token.repeat(20)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  ]) {
    await using connection = new RawConnection(Number(new URL(url).port))
    const answer = await connection.send(text)
    places.add('answers', JSON.stringify(answer ?? {}))
  }
}
