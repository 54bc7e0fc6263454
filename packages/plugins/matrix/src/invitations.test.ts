import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { matrix } from './matrix.ts'
import { roomWorld } from './room-world.test.support.ts'
import { MatrixPerson } from './testing/index.test.support.ts'

test('invitations of those who are listed are taken, others refused, and empty rooms left', async () => {
  await using world = await roomWorld({ env: { MATRIX_INVITES: ' @ada:localhost , field.example.org' } })
  const { homeserver, ada, bot } = world
  const eve = await MatrixPerson.register(homeserver.url, 'eve')
  const standsAs = (room: string) => homeserver.state.data.rooms.get(room)?.state.get(`m.room.member|${bot}`)?.event
  const becomes = (room: string, membership: string) =>
    homeserver.until(() => standsAs(room)?.content.membership === membership)
  const refused = await eve.directRoom(bot)
  const taken = await ada.createRoom({ invite: [bot, eve.userId] })
  await Promise.all([becomes(refused, 'leave'), becomes(taken, 'join')])
  expect(homeserver.requests('join').some(({ path, user }) => user === bot && path.includes(refused))).toBe(false)
  const shown = homeserver.state.data.rooms.get(refused)!
  homeserver.inject(shown.id, {
    type: 'm.room.member',
    sender: '@ann:field.example.org',
    state_key: bot,
    content: { membership: 'invite' },
  })
  await becomes(refused, 'join')

  const leave = (person: MatrixPerson) => person.request('POST', `rooms/${encodeURIComponent(taken)}/leave`, {})
  await eve.join(taken)
  await leave(ada)
  await eve.send(taken, 'still here')
  await homeserver.until(() => homeserver.requests('receipt').some(({ path }) => path.includes(taken)))
  expect(standsAs(taken)?.content.membership).toBe('join')
  await leave(eve)
  await becomes(taken, 'leave')
})

test.each([
  ['MATRIX_INVITES', '@ada'],
  ['MATRIX_INVITES', 'ada example.org'],
  ['MATRIX_SHARED_ROOMS', 'Field team'],
])('%s=%s is an error at boot', async (variable, value) => {
  const env = { MATRIX_BASE_URL: 'http://127.0.0.1:9', [variable]: value }
  await expect(testApp({ plugins: [matrix()], env })).rejects.toThrow(variable)
})
