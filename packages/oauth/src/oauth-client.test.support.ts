import { createHash, randomBytes } from 'node:crypto'
import type { OraclePlugin } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import type { TestActor } from '@sibyl/testing'
import { fromAddress, type TestApp, testActor, testApp } from '@sibyl/testing'
import { afterAll, onTestFinished } from 'vitest'
import { oauth } from './oauth.ts'

/** Where an oracle is: `app.request`, or `fetch` of a socket. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

export const operatorToken = 'operator-token-of-the-tests-01'

/** An oracle with OAuth; its clock goes forward when it is told to. */
export const oracle = async (
  options: {
    readonly env?: Record<string, string>
    readonly fetch?: GuardedFetch
    readonly plugins?: readonly OraclePlugin[]
  } = {},
) => {
  let ahead = 0
  const app = await testApp({
    plugins: [...(options.plugins ?? [])],
    adapters: [oauth(options.fetch ? { fetch: options.fetch } : {})],
    clock: { now: () => Date.now() + ahead },
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...options.env },
  })
  onTestFinished(() => app.app.close())
  const send: Send = (path, init) => app.app.request(path, init)
  return {
    ...app,
    send,
    pass: (seconds: number) => {
      ahead += seconds * 1000
    },
  }
}

/** An oracle that the tests of a file share, each as users of its own; for tests that change neither clock nor settings. */
export const shareOracle = () => {
  let booting: ReturnType<typeof testApp> | undefined
  afterAll(async () => (await booting)?.app.close())
  return async () => {
    booting ??= testApp({ plugins: [], adapters: [oauth()], env: { ORACLE_OPERATOR_TOKEN: operatorToken } })
    const { app } = await booting
    const send: Send = (path, init) => app.request(path, init)
    return { send, actor: testActor(app) }
  }
}

/** Sends requests from an address. */
export const sendFrom = (address: string, app: TestApp['app']): Send => {
  const target = fromAddress(app, address)
  return async (path, init) => target.request(path, init)
}

export const redirectUri = 'http://127.0.0.1:7777/callback'

/** A body of JSON. */
export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
}

/** A client that does the flow by hand, so that a test can change each step. */
export class TestClient {
  readonly send: Send
  readonly id: string
  readonly verifier: string = randomBytes(32).toString('base64url')

  constructor(send: Send, id: string) {
    this.send = send
    this.id = id
  }

  static async register(send: Send, metadata: object = {}): Promise<TestClient> {
    const answer = await send(
      '/oauth/register',
      json({ client_name: 'Pocket', redirect_uris: [redirectUri], ...metadata }),
    )
    const body = await answer.text()
    if (answer.status !== 201) throw new Error(`The registration was answered with ${answer.status}: ${body}`)
    return new TestClient(send, (JSON.parse(body) as { client_id: string }).client_id)
  }

  authorize(changes: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    const query = new URLSearchParams()
    const parameters: Record<string, string | undefined> = {
      client_id: this.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'chat/* session/*',
      state: 'state-1',
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
    return this.send(`/oauth/authorize?${query}`)
  }

  /** Starts a sign-in: the path of its page, and the cookies of the browser. */
  async begin(changes?: Parameters<TestClient['authorize']>[0]): Promise<{ path: string; cookie: string }> {
    const answer = await this.authorize(changes)
    const location = answer.headers.get('location')
    if (answer.status !== 303 || location === null) throw new Error(await answer.text())
    const { pathname } = new URL(location)
    if (!pathname.startsWith('/oauth/sign-in/')) throw new Error(location)
    const cookie = answer.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ')
    return { path: pathname, cookie }
  }

  /** Follows the browser from the sign-in page to the client. */
  async return(answer: Response, cookie: string): Promise<URL> {
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(body)
    const { pathname } = new URL((JSON.parse(body) as { location: string }).location)
    const back = await this.send(pathname, { headers: { cookie }, redirect: 'manual' })
    return new URL(back.headers.get('location') ?? `error:${await back.text()}`)
  }

  /** Signs in as an actor, up to the code. */
  async signIn(
    actor: TestActor,
    {
      abilities = ['auth/token', 'chat/*', 'session/*'],
      scopes = ['chat/*', 'session/*'],
      days = 30,
      ...changes
    }: { abilities?: readonly string[]; scopes?: readonly string[]; days?: number; [name: string]: unknown } = {},
  ): Promise<string> {
    const { path, cookie } = await this.begin(changes as Record<string, string>)
    const authorization = `Bearer ${await actor.token(abilities)}`
    const back = await this.return(await this.send(path, json({ scopes, days }, { cookie, authorization })), cookie)
    return back.searchParams.get('code') ?? String(back)
  }

  token(parameters: Readonly<Record<string, string | undefined>>): Promise<Response> {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries({ client_id: this.id, ...parameters }))
      if (value !== undefined) body.set(name, value)
    return this.send('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    })
  }

  exchange(code: string, changes: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: this.verifier,
      ...changes,
    })
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  async revoke(token: string): Promise<Response> {
    return this.send('/oauth/revoke', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, client_id: this.id }).toString(),
    })
  }

  /** The whole flow. */
  async tokens(actor: TestActor, options?: Parameters<TestClient['signIn']>[1]): Promise<Tokens> {
    const { redirect_uri = redirectUri } = options ?? {}
    const answer = await this.exchange(await this.signIn(actor, options), { redirect_uri: String(redirect_uri) })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(body)
    return JSON.parse(body) as Tokens
  }

  /** The status with which a path answers a token. */
  async status(token: string, path = '/sessions'): Promise<number> {
    return (await this.send(path, { headers: { authorization: `Bearer ${token}` } })).status
  }
}

export const errorOf = async (answer: Response): Promise<unknown> => {
  const text = await answer.text()
  return [answer.status, text.startsWith('{') ? (JSON.parse(text).error ?? JSON.parse(text).code) : text.slice(0, 200)]
}
