import { expect, test } from 'vitest'
import { json, oracle, type Send, sendFrom, TestClient, type Tokens } from './oauth-client.test.support.ts'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'

const form = (body: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(body).toString(),
})

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly interval: number
}

/** Registers a device without a redirect URI, and begins its sign-in. */
const begin = async (send: Send) => {
  const client = await TestClient.register(send, { redirect_uris: [], grant_types: [grant, 'refresh_token'] })
  const request = form({ client_id: client.id, scope: 'chat/* openid' })
  const codes: Codes = await (await send('/oauth/device_authorization', request)).json()
  const poll = async (device_code = codes.device_code, client_id = client.id) => {
    const answer = await client.token({ grant_type: grant, device_code, client_id })
    return (await answer.json()) as Tokens & { readonly error?: string; readonly id_token?: string }
  }
  return { client, codes, poll }
}

/** Types a code, and returns the sign-in page that it leads to. */
const type = async (send: Send, code: string) => {
  const typed = await send('/oauth/device', form({ user_code: code }))
  if (typed.status !== 303) return { status: typed.status, text: await typed.text(), path: '', cookie: '' }
  const { pathname, search } = new URL(typed.headers.get('location') ?? '')
  const page = await send(`${pathname}${search}`)
  const path = new URL(page.headers.get('location') ?? '').pathname
  const cookie = page.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  return { status: 303, text: await (await send(path, { headers: { cookie } })).text(), path, cookie }
}

const finish = async (send: Send, answer: Response, cookie: string): Promise<string> => {
  const { pathname } = new URL((await answer.json()).location)
  const back = new URL((await send(pathname, { headers: { cookie } })).headers.get('location') ?? '')
  return (await send(`${back.pathname}${back.search}`)).text()
}

test('a device gets tokens after the user typed its code, signed in and consented', async () => {
  const { send, actor, pass } = await oracle()
  const { client, codes, poll } = await begin(send)
  expect(codes).toMatchObject({ verification_uri: 'http://localhost:3000/oauth/device', interval: 5 })
  expect(await poll()).toMatchObject({ error: 'authorization_pending' })
  const { text, path, cookie } = await type(send, codes.user_code.toLowerCase().replace('-', ' '))
  expect(text).toContain('Allow the device whose code you typed')
  expect(text).toContain('your DID')
  const authorization = `Bearer ${await actor.token(['auth/token', 'chat/*'])}`
  const allowed = await send(path, json({ scopes: ['chat/*'] }, { cookie, authorization }))
  expect(await finish(send, allowed, cookie)).toContain('Your device is signed in')
  pass(6)
  const tokens = await poll()
  expect(tokens.scope).toBe('chat/*')
  expect(JSON.parse(Buffer.from(tokens.id_token?.split('.')[1] ?? '', 'base64url').toString()).sub).toBe(actor.did)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  // A used code is spent.
  expect((await type(send, codes.user_code)).status).toBe(400)
})

test('a device that asks too often is slowed down, and a code of another client or an expired one gives nothing', async () => {
  const { send, pass } = await oracle()
  const { codes, poll } = await begin(send)
  const other = await begin(send)
  expect(await poll()).toMatchObject({ error: 'authorization_pending' })
  expect(await poll()).toMatchObject({ error: 'slow_down' })
  pass(6)
  expect(await poll()).toMatchObject({ error: 'slow_down' })
  pass(16)
  expect(await poll()).toMatchObject({ error: 'authorization_pending' })
  expect(await other.poll(codes.device_code)).toMatchObject({ error: 'invalid_grant' })
  pass(600)
  expect(await poll()).toMatchObject({ error: 'expired_token' })
  expect((await type(send, codes.user_code)).status).toBe(400)
})

test('a denied device gets an error, and a client that did not register for devices is refused', async () => {
  const { send } = await oracle()
  const { codes, poll } = await begin(send)
  const { path, cookie } = await type(send, codes.user_code)
  const denied = await send(`${path}/deny`, { method: 'POST', headers: { cookie } })
  expect(await finish(send, denied, cookie)).toContain('has no access')
  expect(await poll()).toMatchObject({ error: 'access_denied' })
  const client = await TestClient.register(send)
  const refused = await send('/oauth/device_authorization', form({ client_id: client.id }))
  expect([refused.status, (await refused.json()).error]).toEqual([400, 'unauthorized_client'])
})

test('user codes are tried ten times a minute from a network', async () => {
  const { app } = await oracle()
  const [near, far] = [sendFrom('203.0.113.7', app), sendFrom('198.51.100.9', app)]
  const attempt = async (send: Send) => (await send('/oauth/device', form({ user_code: 'BBBB-BBBB' }))).status
  for (let count = 0; count < 10; count += 1) expect(await attempt(near)).toBe(400)
  expect([await attempt(near), await attempt(far)]).toEqual([429, 400])
})
