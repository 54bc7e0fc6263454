/** @module-tag long */
import { expect, test } from 'vitest'
import { MatrixPerson } from '../testing/index.test.support.ts'
import { matrixWorld } from './matrix-world.test.support.ts'

const padding = 'x'.repeat(60_000)

const name = 'rooms with more members than are read at once are read by themselves or left, and all others are read'

test(name, async () => {
  await using world = await matrixWorld()
  const { homeserver, ada, bot } = world
  const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
  const own = await ada.directRoom(bot)
  await ada.send(own, 'hello')
  await world.answer('echo: hello', own)
  const hugeRoom = async (more: object) => {
    const room = await mallory.createRoom({ name: 'Huge' })
    for (let count = 0; count < 350; count += 1) {
      const state_key = `@m${count}:localhost`
      const content = { membership: 'join', ...more }
      homeserver.inject(room, { type: 'm.room.member', sender: state_key, state_key, content })
    }
    await mallory.invite(room, bot)
    return room
  }
  const becomes = (room: string, membership: string) =>
    homeserver.until(() => homeserver.state.membership(homeserver.state.data.rooms.get(room)!, bot) === membership)
  const [readable, unreadable] = [await hugeRoom({ reason: padding }), await hugeRoom({ displayname: padding })]
  await Promise.all([becomes(readable, 'join'), becomes(unreadable, 'leave')])
  await ada.send(own, 'still there?')
  await world.answer('echo: still there?', own)
  await mallory.send(readable, 'not for you')
  await mallory.send(readable, `${bot}: for you`)
  await world.answer(/^echo: for you/, readable)
  expect(world.textsOf(readable)).toHaveLength(1)
})
