import { expect, test } from 'vitest'
import type { TurnRow } from './store/turn.ts'
import type { StreamEvent } from './stream/turn-stream.ts'
import { replayAnswer } from './turn-reader.ts'

const row = { id: 't1', answerId: 'a1', sessionId: 's1', status: 'awaiting-approval' } as TurnRow

test('the question of a tool precedes the request for its answer, as at first; an answered one stays a note', () => {
  const question = (id: string) => ({ type: 'data-question', id, data: { approvalId: id, text: `${id}?` } })
  const call = { type: 'tool-book', input: {} }
  const log = replayAnswer(row, {
    id: 'a1',
    role: 'assistant',
    parts: [
      { ...call, toolCallId: 'c1', state: 'approval-requested', approval: { id: 'q1' } },
      { ...call, toolCallId: 'c2', state: 'output-available', output: 'booked' },
      question('q2'),
      question('q1'),
    ],
    metadata: {},
    turnId: 't1',
    createdAt: 0,
  })
  const events = log.events.map(event => JSON.parse(event) as StreamEvent)
  expect(events.map(({ type, id, toolCallId }) => [type, id ?? toolCallId])).toEqual([
    ['start', undefined],
    ['tool-input-available', 'c1'],
    ['data-question', 'q1'],
    ['tool-approval-request', 'c1'],
    ['tool-input-available', 'c2'],
    ['tool-output-available', 'c2'],
    ['data-question', 'q2'],
    ['finish', undefined],
  ])
})
