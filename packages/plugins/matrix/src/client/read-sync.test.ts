import { expect, test } from 'vitest'
import { readSync } from './read-sync.ts'

test('a room with more events than are read is there with the first of them, and broken ones are left out', () => {
  const memberOf = (place: number) => ({
    type: 'm.room.member',
    sender: `@p${place}:localhost`,
    state_key: `@p${place}:localhost`,
    content: { membership: 'join' },
  })
  const events = [{ type: 7 }, ...Array.from({ length: 20_100 }, (_, place) => memberOf(place))]
  const join = { '!large:localhost': { state: { events } }, 'no room': {}, '!broken:localhost': { state: 'x' } }
  const { joined = [] } = readSync({ next_batch: 's1', rooms: { join } }) ?? {}
  expect(joined.map(({ roomId, state }) => [roomId, state.length])).toEqual([['!large:localhost', 19_999]])
})
