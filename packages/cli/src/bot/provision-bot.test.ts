import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BotRefusedError } from '../errors/bot-refused-error.ts'
import { HomeserverUnavailableError } from '../errors/homeserver-unavailable-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { givenBotAccount } from './given-bot-account.ts'
import { type HomeserverBehaviour, HomeserverProcess } from './homeserver-process.test.helper.ts'
import { provisionBot } from './provision-bot.ts'

let process: HomeserverProcess
beforeAll(async () => {
  process = await HomeserverProcess.start()
})
afterAll(() => process.stop())

const start = async (behaviour?: HomeserverBehaviour) => {
  const url = await process.add(behaviour)
  return {
    homeserver: { url, state: () => process.state(url) },
    request: { baseUrl: `${url}/`, oracleName: 'Field Oracle' },
  }
}

describe('a bot that is made ready', () => {
  it('has a user, the oracle’s name, an account room and a token that is good', async () => {
    const { homeserver, request } = await start()
    const bot = await provisionBot(request)
    expect(bot).toMatchObject({ baseUrl: homeserver.url, userId: '@field-oracle:matrix.test' })
    expect(bot.password).toMatch(/^[\w-]{32}$/)
    const { users, tokens, rooms } = await homeserver.state()
    expect(users).toEqual({ [bot.userId]: { password: bot.password, displayName: 'Field Oracle' } })
    expect(tokens).toEqual({ [bot.accessToken]: bot.userId })
    expect(rooms).toEqual([{ id: bot.accountRoomId, alias: '#field-oracle-account:matrix.test', creator: bot.userId }])
  })

  it('stays the same in a second run, with a new token in the place of the old one', async () => {
    const { homeserver, request } = await start()
    const first = await provisionBot(request)
    const again = await provisionBot({ ...request, account: first, earlierAccessToken: first.accessToken })
    expect({ ...again, accessToken: '' }).toEqual({ ...first, accessToken: '' })
    const { users, tokens, rooms } = await homeserver.state()
    expect([Object.keys(users), Object.keys(tokens), rooms.length]).toEqual([[first.userId], [again.accessToken], 1])
  })

  it('has a number where its name is taken', async () => {
    const { request } = await start({ users: { 'field-oracle': 'x', 'field-oracle-2': 'y' } })
    expect((await provisionBot(request)).userId).toBe('@field-oracle-3:matrix.test')
  })

  it('signs in as a user that there is', async () => {
    const { homeserver, request } = await start({ users: { bob: 'a password' }, registration: 'closed' })
    const account = { userId: 'bob', password: 'a password' }
    expect(await provisionBot({ ...request, account })).toMatchObject({ ...account, userId: '@bob:matrix.test' })
    expect((await homeserver.state()).requests.join()).not.toContain('register')
  })

  it('registers with a token where one is wanted', async () => {
    const { request } = await start({ registration: 'token' })
    await expect(provisionBot(request)).rejects.toThrow(/registers only who has a registration token/)
    const wrong = provisionBot({ ...request, registrationToken: 'a guess' })
    await expect(wrong).rejects.toThrow(/does not take the registration token/)
    const bot = await provisionBot({ ...request, registrationToken: 'from the admin' })
    expect(bot.userId).toBe('@field-oracle:matrix.test')
  })

  it('takes no room that somebody else made under its alias', async () => {
    const { homeserver, request } = await start({ foreignAliases: ['field-oracle-account'] })
    const { accountRoomId, userId } = await provisionBot(request)
    const room = (await homeserver.state()).rooms.find(({ id }) => id === accountRoomId)
    expect(room).toMatchObject({ alias: '#field-oracle-account-2:matrix.test', creator: userId })
  })

  it('waits where there were too many requests', async () => {
    const { request } = await start({ busy: { times: 3, retryAfterMs: 5 } })
    expect((await provisionBot(request)).userId).toBe('@field-oracle:matrix.test')
  })

  it('tells of its user at once, and leaves no token where it stops after that', async () => {
    const { homeserver, request } = await start({ refusesRooms: true })
    const told: unknown[] = []
    const stopped = provisionBot({ ...request, onRegistered: account => void told.push(account) })
    await expect(stopped).rejects.toThrow(/refuses to make a room \(M_FORBIDDEN\)/)
    const { users, tokens } = await homeserver.state()
    expect(told).toEqual([
      { userId: '@field-oracle:matrix.test', password: users['@field-oracle:matrix.test']?.password },
    ])
    expect(tokens).toEqual({})
  })
})

describe('a homeserver that does not', () => {
  it.each([
    [{ registration: 'closed' }, 'registers nobody'],
    [{ registration: 'captcha' }, 'registers only people'],
    [{ registration: 'endless' }, 'asks for more and more'],
    [{ users: Object.fromEntries(['', ...'23456789'].map(n => [`field-oracle${n && `-${n}`}`, 'x'])) }, 'are taken at'],
  ] satisfies [HomeserverBehaviour, string][])(
    'take a new user is told with a way out: %j',
    async (behaviour, words) => {
      const { homeserver, request } = await start(behaviour)
      const refused = provisionBot(request)
      await expect(refused).rejects.toThrow(BotRefusedError)
      await expect(refused).rejects.toThrow(words)
      await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('MATRIX_ORACLE_ADMIN_USER_ID') })
      expect((await homeserver.state()).tokens).toEqual({})
    },
  )

  it('know the password says so without it', async () => {
    const { request } = await start({ users: { bob: 'a password' } })
    const refused = provisionBot({ ...request, account: { userId: 'bob', password: 'hush hush' } })
    await expect(refused).rejects.toThrow(/does not let the bot in with this user and password\.$/)
  })

  it.each([
    [{ versions: '{}' }, 'is no Matrix homeserver'],
    [{ versions: '[]' }, 'is no Matrix homeserver'],
    [{ answers: { status: 200, body: '<html>' } }, 'something that is not Matrix'],
    [{ answers: { status: 200, body: '{"user_id":"@a:b\\nX=1","access_token":"t"}' } }, 'something that is not Matrix'],
    [{ answers: { status: 200, body: '{"user_id":"@a:b","access_token":"t\\nX=1"}' } }, 'something that is not Matrix'],
    [{ answers: { status: 200, body: '{}', length: 1_000_001 } }, 'answers with more than 1000000 bytes'],
    [{ answers: { status: 502, body: 'hush\u001b[31m' } }, 'has an error of its own (502)'],
    [{ answers: { status: 307, body: '', location: 'http://127.0.0.1:1/' } }, 'does not answer (it sends elsewhere)'],
    [{ busy: { times: 99, retryAfterMs: 3_600_000 } }, 'takes no more requests for 3600 s'],
  ] satisfies [HomeserverBehaviour, string][])('speak Matrix as it should is told: %j', async (behaviour, words) => {
    const { request } = await start(behaviour)
    const failed = provisionBot(request)
    await expect(failed).rejects.toThrow(HomeserverUnavailableError)
    await expect(failed).rejects.toThrow(words)
  })

  it('answer is told', async () => {
    const baseUrl = 'http://127.0.0.1:1'
    const failed = provisionBot({ baseUrl, oracleName: 'Field Oracle' })
    await expect(failed).rejects.toThrow(`The homeserver ${baseUrl} does not answer (`)
  })

  it('have time to answer any more ends with the signal', async () => {
    const { request } = await start({ busy: { times: 99, retryAfterMs: 20_000 } })
    const controller = new AbortController()
    const stopped = provisionBot({ ...request, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
  })
})

it('is told of the user and the tokens that the environment names', () => {
  const env = {
    MATRIX_ORACLE_ADMIN_USER_ID: '@bob:a',
    MATRIX_ORACLE_ADMIN_PASSWORD: 'hush',
    MATRIX_REGISTRATION_TOKEN: '',
  }
  expect(givenBotAccount({ env })).toEqual({ account: { userId: '@bob:a', password: 'hush' } })
  expect(givenBotAccount({ env: { MATRIX_REGISTRATION_TOKEN: 'x' } })).toEqual({ registrationToken: 'x' })
  expect(() => givenBotAccount({ env: { ...env, MATRIX_ORACLE_ADMIN_USER_ID: '' } })).toThrow(
    /^The messaging bot has no MATRIX_ORACLE_ADMIN_USER_ID\.$/,
  )
})

it.each([
  ['matrix.example.org', 'no address of HTTP'],
  ['ftp://matrix.example.org', 'no address of HTTP'],
  ['https://bob:secret@matrix.example.org', 'a user, a query or a fragment'],
  ['https://matrix.example.org/?a=b', 'a user, a query or a fragment'],
  ['http://matrix.example.org', 'over plain HTTP'],
  ['http://8.8.8.8', 'over plain HTTP'],
])('no password goes to %s', async (baseUrl, words) => {
  const refused = provisionBot({ baseUrl, oracleName: 'Field Oracle' })
  await expect(refused).rejects.toThrow(UsageError)
  await expect(refused).rejects.toThrow(words)
  await expect(refused).rejects.not.toThrow('secret')
})
