/** @module-tag long */
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { echoModel } from './hostile/matrix-world.test.support.ts'
import { matrix } from './matrix.ts'
import { noticeSender } from './notice-sender.test.support.ts'
import { broken, MatrixPerson, startHomeserverProcess } from './testing/index.test.support.ts'

const refusing = { rooms: 3, people: 3 }

test('rooms that take nothing for ever are left for others, tried again, and given up after a day with one line', async () => {
  await using homeserver = await startHomeserverProcess({ users: { oracle: 'a password' } })
  const { url, control } = homeserver
  const ada = await MatrixPerson.register(url, 'ada')
  const bot = '@oracle:localhost'
  const time = { aheadMs: 0 }
  const log = recordedLogger()
  const teller = noticeSender()
  const { app, actor } = await testApp({
    plugins: [matrix(), teller.plugin],
    model: echoModel(),
    logger: log,
    clock: { now: () => Date.now() + time.aheadMs },
    env: {
      MATRIX_BASE_URL: url,
      MATRIX_ORACLE_ADMIN_USER_ID: bot,
      MATRIX_ORACLE_ADMIN_PASSWORD: 'a password',
      MATRIX_SHARED_ROOMS: [...Array.from({ length: refusing.rooms }, (_, it) => `#r${it}`), '#sound']
        .map(alias => `${alias}:localhost`)
        .join(','),
    },
  })
  await app.ready
  const textsOf = async (room: string) =>
    (await control.events(room)).filter(({ sender, type }) => sender === bot && type === 'm.room.message')
  const lines = (text: string) => log.lines.filter(({ message }) => message.includes(text))
  const roomOf = async (room_alias_name: string) => {
    const room = await ada.createRoom({ room_alias_name, is_direct: true, invite: [bot] })
    await ada.sees(
      ({ room_id, type, state_key, content }) =>
        room_id === room && type === 'm.room.member' && state_key === bot && content.membership === 'join',
    )
    return room
  }
  try {
    const rooms = await Promise.all(Array.from({ length: refusing.rooms }, (_, it) => roomOf(`r${it}`)))
    const sound = await roomOf('sound')
    for (const path of rooms) await control.fault({ on: ['send'], user: bot, path, wrong: broken(504) })
    for (const room of rooms) {
      for (let it = 0; it < refusing.people; it += 1) {
        await control.inject(room, {
          type: 'm.room.message',
          sender: `@p${it}:localhost`,
          content: { msgtype: 'm.text', body: `from ${it}` },
        })
      }
    }
    const { did } = actor
    for (const [it] of rooms.entries()) {
      await teller.notices().send({ did, to: `#r${it}:localhost`, text: 'a notice', idempotencyKey: `r${it}` })
    }
    await expect.poll(() => lines('currently rejects answers').length).toBeGreaterThan(0)
    await ada.send(sound, 'hello')
    await teller.notices().send({ did, to: '#sound:localhost', text: 'a notice', idempotencyKey: 'sound' })
    await ada.hears(
      ({ room_id, sender, content }) => room_id === sound && sender === bot && content.body === 'echo: hello',
    )
    await ada.hears(
      ({ room_id, sender, content }) => room_id === sound && sender === bot && content.body === 'a notice',
    )

    const [fixed = '', ...others] = rooms
    await control.fix(fixed)
    const answers = async () => {
      const all = (await textsOf(fixed)).filter(({ content }) => content['m.new_content'] === undefined)
      return all.map(({ content }) => String(content.body)).toSorted()
    }
    const wanted = Array.from({ length: refusing.people }, (_, it) => `echo: from ${it}`)
    await expect.poll(answers).toEqual(['a notice', ...wanted].toSorted())
    time.aheadMs = 25 * 3_600_000
    const given = () => [
      lines('answers for a Matrix room were dropped').length,
      lines('a message for a Matrix room was dropped').length,
    ]
    await expect.poll(given).toEqual([others.length, others.length])
    for (const room of others) expect(await textsOf(room)).toEqual([])
    expect(await answers()).toEqual(['a notice', ...wanted].toSorted())
  } finally {
    await app.close()
  }
})
