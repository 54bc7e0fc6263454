/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMnemonic } from '@sibyl/identity'
import { definePlugin, type Host } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, testApp } from '@sibyl/testing'
import { testProgram } from '@sibyl/testing/program'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import { matrix } from './matrix.ts'
import { Homeserver, type MatrixEvent, MatrixPerson } from './testing/index.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

/** What the oracle answers that is not killed. */
const whole = 'The whole answer.'

const isEdit = ({ content }: MatrixEvent) => 'm.new_content' in content

/** A process with an oracle that begins its answers and never ends them. */
const startSlow = async (env: NodeJS.ProcessEnv) => {
  const program = await testProgram(new URL('./matrix-process.test.support.ts', import.meta.url))
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
  await Promise.race([once(createInterface({ input: child.stdout }), 'line'), tooEarly])
  tooEarly.catch(() => {})
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const world = async (databaseUrl: string) => {
  const homeserver = await Homeserver.start()
  const bot = homeserver.addUser('oracle', 'a password')
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  const env = {
    DATABASE_URL: databaseUrl,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    MATRIX_BASE_URL: homeserver.url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ADMIN_PASSWORD: 'a password',
  }
  const slow = await startSlow(env)
  /** Another oracle on that database, which gives whole answers. */
  const startQuick = async () => {
    const found: { host?: Host } = {}
    const hand = definePlugin({
      name: 'hand',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Hand', summary: 'Reaches in.', whenToUse: ['a test does'] },
      setup(host) {
        found.host = host
        return {}
      },
    })
    const model = scriptedModel(Array.from({ length: 9 }, () => whole))
    const { app } = await testApp({ plugins: [matrix(), hand], model, env })
    await app.ready
    return { host: found.host!, close: () => app.close() }
  }
  const own = () => homeserver.events().filter(({ sender, type }) => sender === bot && type === 'm.room.message')
  return {
    homeserver,
    bot,
    ada,
    slow,
    startQuick,
    /** Its messages that were not taken back. */
    answers: () => own().filter(event => !isEdit(event) && event.content.body !== undefined),
    edits: () => own().filter(isEdit),
    async [Symbol.asyncDispose]() {
      await slow.kill()
      await homeserver.down()
    },
  }
}

/** Has the slow process killed while it answers `begin`. @returns the room, and the event of what it had said */
const killedInTheMidst = async ({ homeserver, bot, ada, slow, answers }: Awaited<ReturnType<typeof world>>) => {
  const room = await ada.directRoom(bot)
  await ada.send(room, 'begin')
  const begun = await homeserver.until(() => (answers().length === 2 ? answers()[0] : undefined))
  await slow.kill()
  await ada.send(room, 'and this')
  return { room, begun }
}

const bodies = (events: readonly MatrixEvent[]) => events.map(({ content }) => content.body)

describe.concurrent('kill -9 in the midst of an answer:', () => {
  test('it is given whole, once, and what came meanwhile is answered', async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-matrix-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await using killed = await world(`file:${join(folder, 'oracle.db')}`)
    const { homeserver, ada, startQuick, answers, edits } = killed
    const { room, begun } = await killedInTheMidst(killed)
    const second = await startQuick()
    await homeserver.until(() => bodies(answers().slice(1)).join() === whole)
    await second.close()
    const third = await startQuick()
    await ada.send(room, 'once more')
    await homeserver.until(() => answers().length === 3)
    await third.close()
    expect(bodies(answers())).toEqual([begun.content.body, whole, whole])
    expect(edits()).toMatchObject([
      { content: { 'm.new_content': { body: whole }, 'm.relates_to': { event_id: begun.event_id } } },
    ])
  })

  test.skipIf(postgres === undefined)(
    'another process takes over once the dead one’s time is over, and at once from one that ends',
    async ({ expect }) => {
      await using killed = await world((await postgres?.createDatabase()) ?? '')
      const { homeserver, bot, ada, startQuick, answers, edits } = killed
      const second = await startQuick()
      const { room, begun } = await killedInTheMidst(killed)
      expect(answers()).toHaveLength(2)
      await second.host.storage.write(tx => sql`update matrix_lease set held_until = held_until - 15000`.execute(tx))
      await homeserver.until(() => bodies(answers().slice(1)).join() === whole)
      const third = await startQuick()
      await second.close()
      await ada.send(room, 'once more')
      await homeserver.until(() => answers().length === 3)
      await third.close()
      expect(bodies(answers())).toEqual([begun.content.body, whole, whole])
      expect(edits().map(({ content }) => content['m.relates_to'])).toMatchObject([{ event_id: begun.event_id }])
      expect(homeserver.requests('login').filter(({ user }) => user !== ada.userId)).toHaveLength(3)
      expect(homeserver.requests('sync').every(({ user }) => user === bot)).toBe(true)
    },
  )
})
