import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { noticeSender } from './notice-sender.test.support.ts'
import { roomWorld } from './room-world.test.support.ts'
import { broken, refusal } from './testing/index.test.support.ts'

test('a room whose past is rejected, or that takes no message, holds no other up', async () => {
  const teller = noticeSender()
  const env = { MATRIX_SHARED_ROOMS: '#sick:localhost,#sound:localhost' }
  const model = scriptedModel(Array.from({ length: 9 }, () => 'Here.'))
  await using world = await roomWorld({ model, plugins: [teller.plugin], env })
  const { homeserver, oracle, ada, bot, waitForText, textsOf } = world
  const roomOf = async (name: string) => {
    const room = await ada.createRoom({ room_alias_name: name, is_direct: true, invite: [bot] })
    await ada.send(room, 'hello')
    await waitForText(room, 'Here.')
    return room
  }
  const [sick, sound] = [await roomOf('sick'), await roomOf('sound')]
  homeserver.fault({ on: ['messages'], path: sick, wrong: refusal(403, 'M_FORBIDDEN') })
  homeserver.flood(sick, ada.userId, [...Array.from({ length: 120 }, () => ' '), 'after the gap'])
  await ada.send(sound, 'still there?')
  await homeserver.until(() => textsOf(sound).length === 2 && textsOf(sick).length === 2)
  expect(homeserver.requests('messages').map(({ status }) => status)).toEqual([403])

  homeserver.fault({ on: ['send'], path: sick, times: 1, wrong: broken(504) })
  const { did } = oracle.actor
  for (const [to, text] of [
    ['#sick:localhost', 'one'],
    ['#sick:localhost', 'two'],
    ['#sound:localhost', 'three'],
  ] as const) {
    await teller.notices().send({ did, to, text, idempotencyKey: text })
  }
  await waitForText(sound, 'three')
  expect(textsOf(sick)).not.toContain('one')
  await waitForText(sick, 'two')
  expect(textsOf(sick).slice(-2)).toEqual(['one', 'two'])
})

test('rooms that take no answer leave time for all others, and get theirs once they do', async () => {
  const model = scriptedModel(Array.from({ length: 20 }, () => 'Here.'))
  await using world = await roomWorld({ model })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const rooms = await Promise.all(Array.from({ length: 10 }, () => ada.directRoom(bot)))
  const sound = rooms.pop()!
  for (const path of rooms) homeserver.fault({ on: ['send'], user: bot, path, wrong: broken(504) })
  for (const room of rooms) await ada.send(room, 'hello')
  const failed = () => new Set(homeserver.requests('send').flatMap(({ path, status }) => (status === 504 ? path : [])))
  await homeserver.until(() => failed().size >= 8)
  await ada.send(sound, 'hello')
  await waitForText(sound, 'Here.')
  homeserver.fix()
  await Promise.all(rooms.map(room => waitForText(room, 'Here.')))
  expect(rooms.map(textsOf)).toEqual(rooms.map(() => ['Here.']))
})
