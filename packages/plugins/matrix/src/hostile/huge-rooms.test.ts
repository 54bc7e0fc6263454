import { describe, test } from 'vitest'
import { MatrixPerson } from '../testing/index.test.support.ts'
import { matrixWorld } from './matrix-world.test.support.ts'

describe.concurrent('a room whose members are more than is read at once', () => {
  test.for<[string, boolean, object]>([
    ['with what comes with them', true, { reason: 'x'.repeat(55_000) }],
    ['by their names alone', false, { displayname: 'x'.repeat(55_000) }],
  ])('%s: stays %j, and all others are read', async ([, stays, more], { expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
    const own = await ada.directRoom(bot)
    await ada.say(own, 'hello')
    await world.answer('echo: hello', own)
    const huge = await mallory.createRoom({ name: 'Huge' })
    for (let count = 0; count < 400; count += 1) {
      const state_key = `@m${count}:localhost`
      const content = { membership: 'join', ...more }
      homeserver.inject(huge, { type: 'm.room.member', sender: state_key, state_key, content })
    }
    await mallory.invite(huge, bot)
    const stands = () => homeserver.state.membership(homeserver.state.data.rooms.get(huge)!, bot)
    await homeserver.until(() => stands() === (stays ? 'join' : 'leave'))
    await ada.say(own, 'still there?')
    await world.answer('echo: still there?', own)
    if (!stays) return
    await mallory.say(huge, 'not for you')
    await mallory.say(huge, `${bot}: for you`)
    await world.answer(/^echo: for you/, huge)
    expect(world.said(huge)).toHaveLength(1)
  })
})
