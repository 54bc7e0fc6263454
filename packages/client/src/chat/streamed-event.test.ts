import { expect, test } from 'vitest'
import { readStreamedEvent } from './streamed-event.ts'

const read = (event: object) => readStreamedEvent({ id: 'turn:3', data: JSON.stringify(event) })?.event

test('the steps of an earlier oracle are read as stepCount, beside fields that are not known', () => {
  const event = { type: 'finish', messageMetadata: { outcome: 'done', steps: 2, later: 1 }, other: true }
  expect(read(event)).toEqual({
    type: 'finish',
    messageMetadata: { outcome: 'done', stepCount: 2, later: 1 },
    other: true,
  })
  const now = { type: 'finish', messageMetadata: { outcome: 'done', stepCount: 2, later: 1 } }
  expect(read(now)).toEqual(now)
})
