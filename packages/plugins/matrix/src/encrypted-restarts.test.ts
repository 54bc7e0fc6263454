import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMnemonic } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import { ratchetPlaces } from './encrypted-world.test.support.ts'
import { Homeserver } from './testing/index.test.support.ts'
import { SecondUser } from './testing/second-user.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

/** A process with an oracle that answers `You said: …`. */
const startOracle = async (env: NodeJS.ProcessEnv) => {
  const program = fileURLToPath(new URL('./encrypted-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const tooEarly = ended.then(() => Promise.reject(new Error('The process ended before it was ready.')))
  tooEarly.catch(() => {})
  const lines = createInterface({ input: child.stdout })
  await Promise.race([once(lines, 'line'), tooEarly])
  return {
    ended,
    /** Resolves once no message waits for an answer, so that a restart has none to resume. */
    async settled() {
      const settled = once(lines, 'line')
      child.stdin.write('\n')
      await settled
    },
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
  }
}

/** A homeserver with the bot's user and Ben, whose client is matrix-js-sdk with its encryption. */
const world = async (databaseUrl: string) => {
  const homeserver = await Homeserver.start()
  const bot = homeserver.addUser('oracle', 'a password')
  const env = {
    DATABASE_URL: databaseUrl,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    MATRIX_BASE_URL: homeserver.url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ADMIN_PASSWORD: 'a password',
  }
  const ben = await SecondUser.start(homeserver.url, 'ben', { encrypts: true })
  onTestFinished(async () => {
    ben[Symbol.dispose]()
    await homeserver.down()
  })
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const oracle = await startOracle({ ...env, ...more })
    onTestFinished(() => oracle.end('SIGKILL'))
    return oracle
  }
  return { homeserver, bot, ben, start, sends: () => homeserver.requests('send').filter(({ user }) => user === bot) }
}

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-encrypted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** With the texts before which the process is killed: a second round shows that it can be killed again after it was. */
const databases = [
  ['SQLite', async () => `file:${join(temporaryFolder(), 'oracle.db')}`, ['two', 'three']],
  ...(postgres ? ([['PostgreSQL', () => postgres.createDatabase(), ['two']]] as const) : []),
] as const

describe.each(databases)('kill -9 on %s', { timeout: 240_000 }, (_name, createDatabase, texts) => {
  test('before and after the commit of an encrypted message: each ratchet index is used once, and all are decrypted', async ({
    expect,
  }) => {
    const { homeserver, bot, ben, start, sends } = await world(await createDatabase())
    const first = await start()
    const room = await ben.directRoom(bot, { encrypted: true })
    await ben.send(room, 'one')
    await ben.message(({ body }) => body === 'You said: one')
    await first.settled()
    await first.end('SIGTERM')

    for (const text of texts) {
      // After the encryption, before the commit: the process ends itself.
      const killed = await start({ KILL_AT_ENCRYPTION: '1' })
      await ben.send(room, text)
      await killed.ended
      const next = await start()
      // An answer that may have been sent before is edited once it is complete.
      await ben.message(({ body, edits }) => body === `You said: ${text}` && edits === 1)
      await next.settled()
      // After the commit, before the homeserver has it.
      homeserver.fault({ on: ['send'], user: bot, wrong: { hang: true } })
      const before = sends().length
      await ben.send(room, `${text} again`)
      await homeserver.until(() => sends().length > before)
      const hanging = sends().at(-1)!
      await next.end('SIGKILL')
      homeserver.fix()
      // After the homeserver has it, before the process learns of it.
      homeserver.fault({ on: ['send'], user: bot, times: 1, wrong: { afterwards: 'hang' } })
      const third = await start()
      await ben.message(({ body }) => body === `You said: ${text} again`)
      const sent = homeserver.events(room).findLast(({ sender }) => sender === bot)
      expect(sent?.content).toEqual(hanging.body)
      await third.end('SIGKILL')
      homeserver.fix()
      const last = await start()
      await ben.send(room, `${text} at last`)
      await ben.message(({ body }) => body === `You said: ${text} at last`)
      await last.settled()
      await last.end('SIGTERM')
    }
    const places = ratchetPlaces(homeserver.events(room), bot)
    expect(new Set(places.map(({ session, index }) => `${session} ${index}`)).size).toBe(places.length)
    expect(new Set(places.map(({ session }) => session)).size).toBe(1)
    expect(ben.messages().map(({ body }) => body)).toEqual([
      'You said: one',
      ...texts.flatMap(text => [text, `${text} again`, `${text} at last`].map(body => `You said: ${body}`)),
    ])
    const bodies = Map.groupBy(sends(), ({ path }) => path)
    for (const same of bodies.values()) expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(homeserver.devicesWithKeys(bot)).toHaveLength(1)
  })
})

test('a restored backup uses a new device and a new session', { timeout: 120_000 }, async ({ expect }) => {
  const folder = temporaryFolder()
  const file = join(folder, 'oracle.db')
  const { homeserver, bot, ben, start } = await world(`file:${file}`)
  const first = await start()
  const room = await ben.directRoom(bot, { encrypted: true })
  await ben.send(room, 'one')
  await ben.message(({ body }) => body === 'You said: one')
  await first.settled()
  await first.end('SIGTERM')
  copyFileSync(file, join(folder, 'backup.db'))
  const second = await start()
  await ben.send(room, 'two')
  await ben.message(({ body }) => body === 'You said: two')
  await second.settled()
  await second.end('SIGTERM')
  const [old] = homeserver.devicesWithKeys(bot)
  copyFileSync(join(folder, 'backup.db'), file)
  const third = await start()
  await expect
    .poll(
      async () => {
        const devices = (await ben.client.getCrypto()!.getUserDeviceInfo([bot])).get(bot)
        return [...(devices?.keys() ?? [])].some(id => id !== old)
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  await ben.send(room, 'three')
  await ben.message(({ body }) => body === 'You said: three')
  await third.end('SIGTERM')
  const places = ratchetPlaces(homeserver.events(room), bot)
  expect(new Set(places.map(({ session, index }) => `${session} ${index}`)).size).toBe(places.length)
  expect(places.at(-1)).toMatchObject({ index: 0 })
  expect(homeserver.devicesWithKeys(bot)).not.toContain(old)
})
