/** @module-tag long */
import { reservePort } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import {
  broken,
  busy,
  elsewhere,
  misshapen,
  page,
  refusal,
  slow,
  truncated,
  type Wrong,
} from '../testing/index.test.support.ts'
import { botPassword, matrixWorld } from './matrix-world.test.support.ts'

const megabyte = 1_000_000

const timeout = 120_000

describe.concurrent('a homeserver', { timeout }, () => {
  test.for<[string, 'down' | Wrong]>([
    ['refuses connections', 'down'],
    ['never answers', { hang: true }],
  ])('delays no boot when it %s, and is found later', async ([, wrong], { expect }) => {
    await using world = await matrixWorld({
      homeserver: { port: await reservePort() },
      env: () => ({ MATRIX_START_SECONDS: '4' }),
      before: homeserver => (wrong === 'down' ? homeserver.down() : homeserver.fault({ on: ['login', 'sync'], wrong })),
    })
    const { homeserver, oracle, ada, bot, log } = world
    expect((await oracle.app.request('/health')).status).toBe(200)
    expect(await world.capability()).toMatchObject({ state: 'pending' })
    await expect.poll(() => world.capability()).toMatchObject({ state: 'degraded' })
    const { reason } = await world.capability()
    expect(reason).toMatch(/homeserver|MATRIX_BASE_URL/)
    if (wrong === 'down') await homeserver.up()
    else homeserver.fix()
    const room = await ada.directRoom(bot)
    await ada.send(room, 'are you there?')
    await world.answer('echo: are you there?')
    expect(await world.capability()).toMatchObject({ state: 'ready' })
    expect(JSON.stringify(log.lines)).not.toContain(botPassword)
  })

  test.for<[string, readonly Wrong[]]>([
    ['fails, repeats itself, is slow or too busy', [broken(), { sync: 'repeat' }, slow(100), busy(300), { cut: true }]],
    ['answers something else', [page(), truncated(), misshapen(), { paddingBytes: 25 * megabyte }]],
    ['refuses or sends elsewhere', [refusal(404, 'M_UNRECOGNIZED'), refusal(403, 'M_FORBIDDEN'), elsewhere('/')]],
  ])('loses and repeats no message when it %s while it is read', async ([, wrongs], { expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const room = await ada.directRoom(bot)
    const texts: string[] = []
    for (const [place, wrong] of wrongs.entries()) {
      homeserver.fault({ on: ['sync'], user: bot, times: 1, wrong })
      for (const text of [`a${place}`, `b${place}`]) {
        await ada.send(room, text)
        await world.answer(`echo: ${text}`)
        texts.push(`echo: ${text}`)
      }
    }
    expect(world.textsOf(room)).toEqual(texts)
  })

  test('receives an answer once when it fails to accept or to confirm it', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const room = await ada.directRoom(bot)
    const wrongs = [broken(503), { afterwards: 'cut' }, misshapen(), busy(400)] as const
    for (const [place, wrong] of wrongs.entries()) {
      homeserver.fault({ on: ['send'], user: bot, times: 1, wrong })
      await ada.send(room, `m${place}`)
      await world.answer(`echo: m${place}`)
    }
    await ada.send(room, 'end')
    await world.answer('echo: end')
    expect(world.textsOf(room)).toEqual(['echo: m0', 'echo: m1', 'echo: m2', 'echo: m3', 'echo: end'])
    const sent = homeserver.requests('send').filter(({ user }) => user === bot)
    const refused = sent.findIndex(({ status }) => status === 429)
    expect(sent[refused + 1]!.at - sent[refused]!.at).toBeGreaterThanOrEqual(395)
  })

  test('is read from now on after it lost its positions', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const room = await ada.directRoom(bot)
    await ada.send(room, 'one')
    await world.answer('echo: one')
    homeserver.forgetPositions()
    await homeserver.until(() => homeserver.requests('sync').find(({ status }) => status === 400))
    const afresh = () =>
      homeserver.requests('sync').filter(({ path, status }) => !path.includes('since') && status === 200)
    await homeserver.until(() => afresh().filter(({ user }) => user === bot).length === 2)
    await ada.send(room, 'two')
    await world.answer('echo: two')
    expect(world.textsOf(room)).toEqual(['echo: one', 'echo: two'])
  })

  test('has each event answered once when their order changes', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const room = await ada.directRoom(bot)
    await ada.send(room, 'zero')
    await world.answer('echo: zero')
    homeserver.fault({ on: ['sync'], user: bot, wrong: { sync: 'reverse' } })
    homeserver.flood(room, ada.userId, ['one', 'two', 'three'])
    await Promise.all(['echo: one', 'echo: two', 'echo: three'].map(text => world.answer(text)))
    expect(world.textsOf(room).toSorted()).toEqual(['echo: one', 'echo: three', 'echo: two', 'echo: zero'])
  })
})

describe.concurrent('a token', { timeout }, () => {
  test.for<[Record<string, string>, RegExp]>([
    [{ MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: 'syt_wrong' }, /MATRIX_ORACLE_ADMIN_ACCESS_TOKEN/],
    [{ MATRIX_ORACLE_ADMIN_USER_ID: '@oracle:localhost', MATRIX_ORACLE_ADMIN_PASSWORD: 'syt_wrong' }, /_PASSWORD/],
  ])('is reported with its variable when it is wrong or missing: %j', async ([env, variable], { expect }) => {
    const blank = {
      MATRIX_ORACLE_ADMIN_USER_ID: '',
      MATRIX_ORACLE_ADMIN_PASSWORD: '',
      MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: '',
    }
    await using world = await matrixWorld({ env: () => ({ ...blank, ...env }) })
    const { oracle, log } = world
    await expect
      .poll(() => log.lines.find(({ message }) => message.includes('[boot] failed'))?.message)
      .toMatch(variable)
    expect((await world.capability()).reason).toMatch(variable)
    expect((await oracle.app.request('/health')).status).toBe(200)
    expect((await oracle.chat('hello')).text).toBe('echo: hello')
    expect(JSON.stringify(log.lines)).not.toContain('syt_wrong')
  })

  test('is replaced with the password when it expires', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const room = await ada.directRoom(bot)
    await ada.send(room, 'one')
    await world.answer('echo: one')
    homeserver.expireTokens(bot, 'soft')
    await ada.send(room, 'two')
    await world.answer('echo: two')
    homeserver.expireTokens(bot, 'hard')
    await ada.send(room, 'three')
    await world.answer('echo: three')
    expect(world.textsOf(room)).toEqual(['echo: one', 'echo: two', 'echo: three'])
    expect(homeserver.requests('login')).toHaveLength(3)
    expect(world.log.lines.filter(({ message }) => message.includes('bot signed in again'))).toHaveLength(2)
  })

  test('is reported with its remedy when it expires without a password, and the rest continues', async ({ expect }) => {
    const tokens: string[] = []
    await using world = await matrixWorld({
      before: (homeserver, bot) => {
        tokens.push(homeserver.signIn(bot))
      },
      env: () => ({ MATRIX_ORACLE_ADMIN_PASSWORD: '', MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: tokens[0] ?? '' }),
    })
    const { homeserver, oracle, ada, bot } = world
    const room = await ada.directRoom(bot)
    await ada.send(room, 'one')
    await world.answer('echo: one')
    homeserver.expireTokens(bot)
    await expect.poll(() => world.capability()).toMatchObject({ state: 'degraded' })
    expect((await world.capability()).reason).toContain('MATRIX_ORACLE_ADMIN_ACCESS_TOKEN')
    expect((await oracle.chat('hello')).text).toBe('echo: hello')
  })
})

test('a homeserver that stops is read when it returns, and each change is logged once', async () => {
  await using world = await matrixWorld({ homeserver: { port: await reservePort() } })
  const { homeserver, ada, bot } = world
  const room = await ada.directRoom(bot)
  await ada.send(room, 'one')
  await world.answer('echo: one')
  await homeserver.down()
  await expect.poll(() => world.capability()).toMatchObject({ state: 'degraded' })
  homeserver.fault({ on: ['sync'], user: bot, times: 3, wrong: broken() })
  await homeserver.up()
  await ada.send(room, 'two')
  await world.answer('echo: two')
  expect(world.textsOf(room)).toEqual(['echo: one', 'echo: two'])
  const reported = world.log.lines.filter(
    ({ level, message }) => level !== 'debug' && /^Matrix is (un)?available/.test(message),
  )
  expect(reported.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'warn: Matrix is unavailable; the connection is retried',
    'info: Matrix is available again',
  ])
})
