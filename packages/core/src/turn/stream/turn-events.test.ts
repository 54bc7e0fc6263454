import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventsOf } from './turn-events.ts'
import { TurnStream } from './turn-stream.ts'

test('pieces of a text that are there at once are one event, up to a length, with the number of the last', async () => {
  const stream = new TurnStream('turn_1')
  const piece = (id: string, delta: string, more: object = {}) =>
    stream.append({ type: 'text-delta', id, delta, ...more })
  stream.append({ type: 'text-start', id: 'a' })
  for (const delta of ['one ', 'and ', 'two']) piece('a', delta)
  piece('a', '!', { providerMetadata: { p: { signature: 's' } } })
  piece('b', 'other')
  piece('b', 'x'.repeat(5_000))
  piece('b', 'y')
  const read: [number, string, unknown][] = []
  const reading = (async () => {
    for await (const { id, event } of eventsOf(stream)) read.push([id, event.type, 'delta' in event ? event.delta : ''])
  })()
  await setImmediate()
  await setImmediate()
  piece('b', 'later')
  stream.end({ type: 'finish' })
  await reading
  expect(read).toEqual([
    [1, 'text-start', ''],
    [4, 'text-delta', 'one and two'],
    [5, 'text-delta', '!'],
    [7, 'text-delta', `other${'x'.repeat(5_000)}`],
    [8, 'text-delta', 'y'],
    [9, 'text-delta', 'later'],
    [10, 'finish', ''],
  ])
})
