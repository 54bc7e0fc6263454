import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMnemonic } from '@sibyl/identity'
import { startPostgres } from '@sibyl/storage/testing'
import { expect, onTestFinished, test } from 'vitest'
import { Homeserver, MatrixPerson } from './testing/index.test.support.ts'

const postgres = await startPostgres()

const isEdit = ({ content }: { readonly content: Readonly<Record<string, unknown>> }) => 'm.new_content' in content

const world = async (databaseUrl: string) => {
  const homeserver = await Homeserver.start()
  onTestFinished(() => homeserver.down())
  const bot = homeserver.addUser('oracle', 'a password')
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    MATRIX_BASE_URL: homeserver.url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ADMIN_PASSWORD: 'a password',
  }
  const program = fileURLToPath(new URL('./matrix-process.test.support.ts', import.meta.url))
  const start = async (script: 'slow' | 'echo') => {
    const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
      env: { ...env, TEST_SCRIPT: script },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await ended
    }
    onTestFinished(() => end('SIGKILL'))
    await once(createInterface({ input: child.stdout }), 'line')
    return { end }
  }
  const own = () => homeserver.events().filter(({ sender, type }) => sender === bot && type === 'm.room.message')
  const says = (text: string) =>
    homeserver.until(() =>
      own().find(({ content }) => ((content['m.new_content'] ?? content) as { body?: unknown }).body === text),
    )
  return { homeserver, bot, ada, start, own, says }
}

test('kill -9 in the midst of an answer: it is given whole, once, and what came meanwhile is answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-matrix-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { homeserver, bot, ada, start, own, says } = await world(`file:${join(folder, 'oracle.db')}`)
  const first = await start('slow')
  const room = await ada.directRoom(bot)
  await ada.say(room, 'begin')
  const begun = await says('Part of')
  await first.end('SIGKILL')
  await ada.say(room, 'and this')
  const second = await start('echo')
  expect((await says('The whole answer.')).content['m.relates_to']).toMatchObject({ event_id: begun.event_id })
  const answers = () => own().filter(event => !isEdit(event))
  await homeserver.until(() => answers().length === 2)
  await second.end('SIGKILL')
  await start('echo')
  await ada.say(room, 'once more')
  await homeserver.until(() => answers().length === 3)
  expect(answers().map(({ content }) => content.body)).toEqual(['Part of', 'The whole answer.', 'The whole answer.'])
})

test.skipIf(postgres === undefined)('of two processes one answers, and the other takes over', async () => {
  const { homeserver, bot, ada, start, own } = await world((await postgres?.createDatabase()) ?? '')
  const first = await start('echo')
  await start('echo')
  const room = await ada.directRoom(bot)
  for (const text of ['one', 'two', 'three']) await ada.say(room, text)
  await homeserver.until(() => own().length === 3)
  await first.end('SIGTERM')
  await ada.say(room, 'four')
  await homeserver.until(() => own().length === 4)
  expect(homeserver.requests('login').filter(({ user }) => user !== ada.userId).length).toBeLessThanOrEqual(3)
})
