import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type StreamEvent, TurnStream } from './turn-stream.ts'

test('a reader gets events as they are stored, and can change none of them for others', async () => {
  const stream = new TurnStream('turn_1')
  const output = { places: ['Berlin'] }
  const given: StreamEvent[] = [
    { type: 'text-delta', id: 'a', delta: 'x\ud800y' },
    { type: 'tool-output-available', toolCallId: 'c', output, at: new Date(0), unset: undefined },
    { type: 'text-delta', id: 'a', delta: 'y' },
  ]
  const read = () => given.map((_, index) => stream.eventAt(index))
  for (const event of given) stream.append(event)
  const first = read()
  expect(first).toEqual(stream.events.map(json => JSON.parse(json)))
  for (const event of first) Object.assign(event, { delta: 'changed' })
  ;(first[1]!.output as typeof output).places.push('Paris')
  expect([output, read()]).toEqual([{ places: ['Berlin'] }, stream.events.map(json => JSON.parse(json))])
  await setImmediate()
  stream.append({ type: 'text-end', id: 'a' })
  expect([stream.eventAt(0), stream.eventAt(3)]).toEqual([
    { type: 'text-delta', id: 'a', delta: 'x\ud800y' },
    { type: 'text-end', id: 'a' },
  ])
})
