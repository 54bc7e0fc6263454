/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { createMnemonic } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { testProgram } from '@sibyl/testing/program'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import { ratchetPlaces } from './encrypted-world.test.support.ts'
import { Homeserver } from './testing/index.test.support.ts'
import { SecondUser } from './testing/second-user.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

/** A process with an oracle that answers `You said: …`. */
const startOracle = async (env: NodeJS.ProcessEnv) => {
  const program = await testProgram(new URL('./encrypted-process.test.support.ts', import.meta.url))
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
    /** Kills it after it has encrypted the next message, before the commit. */
    killAtEncryption: () => void child.stdin.write('kill\n'),
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
  const start = async () => {
    const oracle = await startOracle(env)
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

const databases = [
  ['SQLite', async () => `file:${join(temporaryFolder(), 'oracle.db')}`],
  ...(postgres ? ([['PostgreSQL', () => postgres.createDatabase()]] as const) : []),
] as const

describe.each(databases)('kill -9 on %s', (_name, createDatabase) => {
  test('before and after the commit of an encrypted message: each ratchet index is used once, and all are decrypted', async ({
    expect,
  }) => {
    const { homeserver, bot, ben, start, sends } = await world(await createDatabase())
    const first = await start()
    const room = await ben.directRoom(bot, { encrypted: true })
    await ben.send(room, 'one')
    await ben.message(({ body }) => body === 'You said: one')
    await first.settled()
    first.killAtEncryption()
    await ben.send(room, 'two')
    await first.ended
    const second = await start()
    // An answer that may have been sent before is edited once it is complete.
    await ben.message(({ body, edits }) => body === 'You said: two' && edits === 1)
    await second.settled()
    // After the commit, before the homeserver has it.
    homeserver.fault({ on: ['send'], user: bot, wrong: { hang: true } })
    const before = sends().length
    await ben.send(room, 'three')
    await homeserver.until(() => sends().length > before)
    const hanging = sends().at(-1)!
    await second.end('SIGKILL')
    homeserver.fix()
    // After the homeserver has it, before the process learns of it.
    homeserver.fault({ on: ['send'], user: bot, times: 1, wrong: { afterwards: 'hang' } })
    const third = await start()
    await ben.message(({ body }) => body === 'You said: three')
    const sent = homeserver.events(room).findLast(({ sender }) => sender === bot)
    expect(sent?.content).toEqual(hanging.body)
    await third.end('SIGKILL')
    homeserver.fix()
    const last = await start()
    await ben.send(room, 'four')
    await ben.message(({ body }) => body === 'You said: four')
    await last.settled()
    // A copy of a message that an earlier process read, under another event id.
    const one = homeserver
      .events(room)
      .find(({ sender, type }) => sender === ben.userId && type === 'm.room.encrypted')!
    homeserver.inject(room, { type: one.type, sender: one.sender, content: one.content })
    await ben.message(({ body }) => body.includes('it is a copy or came after later ones'))
    const places = ratchetPlaces(homeserver.events(room), bot)
    expect(new Set(places.map(({ session, index }) => `${session} ${index}`)).size).toBe(places.length)
    expect(new Set(places.map(({ session }) => session)).size).toBe(1)
    const texts = ['one', 'two', 'three', 'four']
    const answers = ben.messages().filter(({ body }) => body.startsWith('You said'))
    expect(answers.map(({ body }) => body)).toEqual(texts.map(text => `You said: ${text}`))
    const bodies = Map.groupBy(sends(), ({ path }) => path)
    for (const same of bodies.values()) expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(homeserver.devicesWithKeys(bot)).toHaveLength(1)
  })
})

test('a restored backup uses a new device and a new session', async ({ expect }) => {
  const folder = temporaryFolder()
  const file = join(folder, 'oracle.db')
  const { homeserver, bot, ben, start } = await world(`file:${file}`)
  const first = await start()
  const room = await ben.directRoom(bot, { encrypted: true })
  await ben.send(room, 'one')
  await ben.message(({ body }) => body === 'You said: one')
  await first.settled()
  const database = new DatabaseSync(file)
  database.exec(`vacuum into '${join(folder, 'backup.db')}'`)
  database.close()
  await ben.send(room, 'two')
  await ben.message(({ body }) => body === 'You said: two')
  await first.settled()
  await first.end('SIGTERM')
  const [old] = homeserver.devicesWithKeys(bot)
  renameSync(join(folder, 'backup.db'), file)
  const second = await start()
  await expect
    .poll(async () => {
      const devices = (await ben.client.getCrypto()!.getUserDeviceInfo([bot])).get(bot)
      return [...(devices?.keys() ?? [])].some(id => id !== old)
    })
    .toBe(true)
  await ben.send(room, 'three')
  await ben.message(({ body }) => body === 'You said: three')
  await second.end('SIGTERM')
  const places = ratchetPlaces(homeserver.events(room), bot)
  expect(new Set(places.map(({ session, index }) => `${session} ${index}`)).size).toBe(places.length)
  expect(places.at(-1)).toMatchObject({ index: 0 })
  expect(homeserver.devicesWithKeys(bot)).not.toContain(old)
})
