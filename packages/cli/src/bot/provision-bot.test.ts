import {
  broken,
  busy,
  elsewhere,
  type Failure,
  Homeserver,
  MatrixPerson,
  refusal,
  type Wrong,
} from '@sibyl/plugin-matrix/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { givenBotAccount, provisionBot } from './provision-bot.ts'

/** State of a homeserver, apart from its errors. */
interface Behaviour {
  readonly users?: Readonly<Record<string, string>>
  readonly registrationToken?: string
  readonly faults?: readonly Failure[]
}

const start = async ({ users = {}, registrationToken, faults = [] }: Behaviour = {}) => {
  const options = registrationToken === undefined ? {} : { registrationToken }
  const homeserver = await Homeserver.start({ serverName: 'matrix.test', ...options })
  onTestFinished(() => homeserver.down())
  for (const [name, password] of Object.entries(users)) homeserver.addUser(name, password)
  for (const failure of faults) homeserver.fault(failure)
  return { homeserver, request: { baseUrl: `${homeserver.url}/`, oracleName: 'Field Oracle' } }
}

const bot = '@field-oracle:matrix.test'

const tokensOf = ({ state }: Homeserver) =>
  Object.fromEntries([...state.data.logins.values()].map(({ token, userId }) => [token, userId]))

/** Returns a homeserver on which everything but `versions` fails in this way. */
const wrong = (wrong: Wrong): Behaviour => ({ faults: [{ on: ['register', 'login', 'whoami'], wrong }] })

const answers = (body: string): Wrong => ({ status: 200, body })

/** Returns a homeserver that requires these stages for a registration. */
const asks = (stages: readonly string[]): Behaviour =>
  wrong({ status: 401, body: JSON.stringify({ flows: stages.length > 0 ? [{ stages }] : [], session: 's' }) })

describe('bot provisioning', () => {
  it('creates a user, the oracle’s name, an account room and a valid token', async () => {
    const { homeserver, request } = await start()
    const made = await provisionBot(request)
    expect(made).toMatchObject({ baseUrl: homeserver.url, userId: bot })
    expect(made.password).toMatch(/^[\w-]{32}$/)
    const { accounts, aliases, rooms } = homeserver.state.data
    expect([...accounts.values()]).toMatchObject([
      { userId: bot, password: made.password, displayName: 'Field Oracle' },
    ])
    expect(tokensOf(homeserver)).toEqual({ [made.accessToken]: bot })
    expect([...aliases]).toEqual([['#field-oracle-account:matrix.test', made.accountRoomId]])
    expect([...rooms.keys()]).toEqual([made.accountRoomId])
  })

  it('keeps them in a second run, with a new token that replaces the old one', async () => {
    const { homeserver, request } = await start()
    const first = await provisionBot(request)
    const again = await provisionBot({ ...request, account: first, earlierAccessToken: first.accessToken })
    expect({ ...again, accessToken: '' }).toEqual({ ...first, accessToken: '' })
    const { accounts, rooms } = homeserver.state.data
    expect([[...accounts.keys()], tokensOf(homeserver), rooms.size]).toEqual([[bot], { [again.accessToken]: bot }, 1])
  })

  it('adds a number if its name is taken', async () => {
    const { request } = await start({ users: { 'field-oracle': 'x', 'field-oracle-2': 'y' } })
    expect((await provisionBot(request)).userId).toBe('@field-oracle-3:matrix.test')
  })

  it('signs in as an existing user', async () => {
    const { homeserver, request } = await start({ users: { bob: 'a password' } })
    const account = { userId: 'bob', password: 'a password' }
    expect(await provisionBot({ ...request, account })).toMatchObject({ ...account, userId: '@bob:matrix.test' })
    expect(homeserver.requests('register')).toEqual([])
  })

  it('registers with a token if one is required', async () => {
    const { request } = await start({ registrationToken: 'from the admin' })
    await expect(provisionBot(request)).rejects.toThrow(/requires a registration token/)
    const wrong = provisionBot({ ...request, registrationToken: 'a guess' })
    await expect(wrong).rejects.toThrow(/rejected the registration token/)
    expect((await provisionBot({ ...request, registrationToken: 'from the admin' })).userId).toBe(bot)
  })

  it('joins no room that someone else created under its alias', async () => {
    const { homeserver, request } = await start()
    const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
    const invite = [homeserver.addUser('bob', 'a password')]
    const taken = await mallory.createRoom({ room_alias_name: 'bob-account', preset: 'public_chat', invite })
    const bob = { userId: 'bob', password: 'a password' }
    const { accountRoomId, accessToken } = await provisionBot({ ...request, account: bob })
    const join = `${homeserver.url}/_matrix/client/v3/join/${encodeURIComponent(taken)}`
    await fetch(join, { method: 'POST', headers: { authorization: `Bearer ${accessToken}` } })
    expect((await provisionBot({ ...request, account: bob })).accountRoomId).toBe(accountRoomId)
    expect(homeserver.state.data.aliases.get('#bob-account-2:matrix.test')).toBe(accountRoomId)
  })

  it('waits after too many requests', async () => {
    const { request } = await start({ faults: [{ times: 3, on: ['register', 'login'], wrong: busy(5) }] })
    expect((await provisionBot(request)).userId).toBe(bot)
  })

  it('reports its user immediately, and leaves no token if it stops afterwards', async () => {
    const { homeserver, request } = await start({
      faults: [{ on: ['createRoom'], wrong: refusal(403, 'M_FORBIDDEN') }],
    })
    const reported: unknown[] = []
    const stopped = provisionBot({ ...request, onRegistered: account => void reported.push(account) })
    await expect(stopped).rejects.toThrow(/refuses to create a room \(M_FORBIDDEN\)/)
    expect(reported).toEqual([{ userId: bot, password: homeserver.state.data.accounts.get(bot)?.password }])
    expect(tokensOf(homeserver)).toEqual({})
  })
})

describe('a homeserver that does not', () => {
  it.each([
    [wrong(refusal(403, 'M_FORBIDDEN')), 'registers nobody'],
    [asks(['m.login.recaptcha', 'm.login.terms']), 'does not register bots'],
    [asks(['m.login.dummy']), 'requires too many registration steps'],
    [
      { users: Object.fromEntries(['', ...'23456789'].map(n => [`field-oracle${n && `-${n}`}`, 'x'])) },
      'are in use at',
    ],
  ] satisfies [Behaviour, string][])('accept a new user gets an error with a remedy: %j', async (behaviour, words) => {
    const { homeserver, request } = await start(behaviour)
    const refused = provisionBot(request)
    await expect(refused).rejects.toMatchObject({ code: 'bot_refused' })
    await expect(refused).rejects.toThrow(words)
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('MATRIX_ORACLE_ADMIN_USER_ID') })
    expect(tokensOf(homeserver)).toEqual({})
  })

  it('accept the password gets an error without it', async () => {
    const { request } = await start({ users: { bob: 'a password' } })
    const refused = provisionBot({ ...request, account: { userId: 'bob', password: 'hush hush' } })
    await expect(refused).rejects.toThrow(/rejected the user or the password of the bot\.$/)
  })

  it.each([
    [{ faults: [{ wrong: answers('{}') }] }, 'is not a Matrix homeserver'],
    [{ faults: [{ wrong: answers('[]') }] }, 'is not a Matrix homeserver'],
    [wrong(answers('<html>')), 'an invalid Matrix response'],
    [wrong(answers('{"user_id":"@a:b\\nX=1","access_token":"t"}')), 'an invalid Matrix response'],
    [wrong(answers('{"user_id":"@a:b","access_token":"t\\nX=1"}')), 'an invalid Matrix response'],
    [wrong(answers('{}'.padEnd(1_000_001))), 'returned more than 1000000 bytes'],
    [wrong(broken()), 'has an internal error (status 502)'],
    [wrong(elsewhere('http://127.0.0.1:1/')), 'redirects elsewhere, which is not followed'],
    [wrong(busy(3_600_000)), 'rejects requests for another 3600 s'],
  ] satisfies [Behaviour, string][])('speak Matrix correctly gets an error: %j', async (behaviour, words) => {
    const { request } = await start(behaviour)
    const failed = provisionBot(request)
    await expect(failed).rejects.toMatchObject({ code: 'homeserver_unavailable' })
    await expect(failed).rejects.toThrow(words)
  })

  it('respond gets an error', async () => {
    const baseUrl = 'http://127.0.0.1:1'
    const failed = provisionBot({ baseUrl, oracleName: 'Field Oracle' })
    await expect(failed).rejects.toThrow(`The homeserver ${baseUrl} did not respond (`)
  })

  it('respond before the signal aborts ends with the signal', async () => {
    const { request } = await start(wrong(busy(20_000)))
    const controller = new AbortController()
    const stopped = provisionBot({ ...request, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
  })
})

it('gets an error that names the variables of user and token', () => {
  const env = {
    MATRIX_ORACLE_ADMIN_USER_ID: '@bob:a',
    MATRIX_ORACLE_ADMIN_PASSWORD: 'hush',
    MATRIX_REGISTRATION_TOKEN: '',
  }
  expect(givenBotAccount({ env })).toEqual({ account: { userId: '@bob:a', password: 'hush' } })
  expect(givenBotAccount({ env: { MATRIX_REGISTRATION_TOKEN: 'x' } })).toEqual({ registrationToken: 'x' })
  expect(() => givenBotAccount({ env: { ...env, MATRIX_ORACLE_ADMIN_USER_ID: '' } })).toThrow(
    /^MATRIX_ORACLE_ADMIN_USER_ID of the messaging bot is not set.$/,
  )
})

it.each([
  ['matrix.example.org', 'not an HTTP address'],
  ['ftp://matrix.example.org', 'not an HTTP address'],
  ['https://bob:secret@matrix.example.org', 'a user, a query or a fragment'],
  ['https://matrix.example.org/?a=b', 'a user, a query or a fragment'],
  ['http://matrix.example.org', 'over plain HTTP'],
  ['http://8.8.8.8', 'over plain HTTP'],
])('sends no password to %s', async (baseUrl, words) => {
  const refused = provisionBot({ baseUrl, oracleName: 'Field Oracle' })
  await expect(refused).rejects.toMatchObject({ code: 'usage_invalid' })
  await expect(refused).rejects.toThrow(words)
  await expect(refused).rejects.not.toThrow('secret')
})
