import { readStream } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { TurnStream, turnResponse } from './turn-stream.ts'

const truncatedLog = (): TurnStream => {
  const log = new TurnStream('turn_1')
  log.append({ type: 'start' })
  log.append({ type: 'text-start', id: 'a' })
  log.endUnstored({ number: 99, event: { type: 'error', code: 'turn_interrupted', errorText: 'The oracle stopped.' } })
  return log
}

test('a reader gets the events after its last one', async () => {
  const { events, done } = await readStream(turnResponse(truncatedLog(), 1))
  expect(events.map(event => event.eventId)).toEqual(['turn_1:2', 'turn_1:99'])
  expect(done).toBe(true)
})

test('a reader with more events than were stored before a crash gets the end, once', async () => {
  const { events, done } = await readStream(turnResponse(truncatedLog(), 9))
  expect(events).toEqual([
    { type: 'error', code: 'turn_interrupted', errorText: 'The oracle stopped.', eventId: 'turn_1:99' },
  ])
  expect(done).toBe(true)
  const again = await readStream(turnResponse(truncatedLog(), 99))
  expect([again.events, again.done]).toEqual([[], true])
})

test('a reader ahead of a turn whose process then ends gets the end', async () => {
  const log = new TurnStream('turn_1')
  log.append({ type: 'start' })
  const response = turnResponse(log, 5)
  log.append({ type: 'text-start', id: 'a' })
  log.endUnstored({ number: 99, event: { type: 'error', code: 'turn_interrupted', errorText: 'The oracle stopped.' } })
  const { events } = await readStream(response)
  expect(events.map(event => event.eventId)).toEqual(['turn_1:99'])
})

test('a reader ahead of a running turn gets no event twice', async () => {
  const log = new TurnStream('turn_1')
  log.append({ type: 'start' })
  const response = turnResponse(log, 2)
  log.append({ type: 'text-start', id: 'a' })
  log.append({ type: 'text-delta', id: 'a', delta: 'x' })
  log.end({ type: 'finish' })
  const { events } = await readStream(response)
  expect(events.map(event => event.eventId)).toEqual(['turn_1:3', 'turn_1:4'])
})
