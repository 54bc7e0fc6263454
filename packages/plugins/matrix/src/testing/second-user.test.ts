import { RoomMemberEvent } from 'matrix-js-sdk'
import { expect, it } from 'vitest'
import { Homeserver } from './index.test.support.ts'
import { SecondUser } from './second-user.test.support.ts'

it('serves matrix-js-sdk: rooms, invitations, threads and edits', async () => {
  await using homeserver = await Homeserver.start()
  using ada = await SecondUser.start(homeserver.url, 'ada')
  using ben = await SecondUser.start(homeserver.url, 'ben')
  ben.client.on(RoomMemberEvent.Membership, (_, { userId, membership, roomId }) => {
    if (userId === ben.userId && membership === 'invite') void ben.client.joinRoom(roomId)
  })
  const room = await ada.directRoom(ben.userId)
  const root = await ada.send(room, 'hello')
  expect(await ben.message(({ body }) => body === 'hello')).toMatchObject({ id: root, sender: ada.userId, edits: 0 })
  const reply = await ben.send(room, 'in a thread', root)
  expect(await ada.message(({ id }) => id === reply)).toMatchObject({ thread: root, body: 'in a thread' })
  await ben.edit(room, reply, 'edited')
  expect(await ada.message(({ edits }) => edits === 1)).toMatchObject({ id: reply, body: 'edited' })
  const refused = homeserver.requests().filter(({ status = 0 }) => status >= 400)
  expect(refused.filter(({ path }) => !path.includes('/unstable/'))).toEqual([])
})
