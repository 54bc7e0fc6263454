import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reservePort } from '@sibyl/testing'
import { expect, it, onTestFinished } from 'vitest'
import { busy, Homeserver, MatrixPerson, startHomeserverProcess } from './index.test.support.ts'

const textsOf = (body: string) => (event: { readonly content: { readonly body?: unknown } }) =>
  event.content.body === body

it('lets people talk', async () => {
  await using homeserver = await Homeserver.start()
  const [ada, ben] = await Promise.all(['ada', 'ben'].map(name => MatrixPerson.register(homeserver.url, name)))
  const room = await ada!.directRoom(ben!.userId)
  await ben!.join(room)
  const heard = ben!.hears(textsOf('hello'))
  await ada!.send(room, 'hello')
  expect(await heard).toBe('hello')
  homeserver.fault({ on: ['send'], times: 1, wrong: busy(5) })
  await expect(ada!.send(room, 'again')).rejects.toThrow(/429.*retry_after_ms":5/)
  await ada!.send(room, 'again')
  expect(await ben!.hears(textsOf('again'))).toBe('again')
})

it('comes back as a process with all that it acknowledged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-homeserver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const stateFile = join(folder, 'state')
  const first = await startHomeserverProcess({ stateFile, port: await reservePort() })
  const ada = await MatrixPerson.register(first.url, 'ada')
  const room = await ada.createRoom({ name: 'Field' })
  await ada.send(room, 'hello')
  await first.end('SIGKILL')
  await using again = await startHomeserverProcess({ stateFile, port: Number(new URL(first.url).port) })
  expect(await ada.hears(textsOf('hello'))).toBe('hello')
  await again.control.inject(room, { type: 'm.room.message', sender: '@x:elsewhere', content: { body: 'from afar' } })
  expect(await ada.hears(textsOf('from afar'))).toBe('from afar')
})
