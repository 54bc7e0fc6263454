import { expect, test } from 'vitest'
import { chatEvent, messageMetadata } from './chat-event.ts'

test.each([
  [
    { outcome: 'done', stepCount: 3 },
    { outcome: 'done', stepCount: 3 },
  ],
  [
    { outcome: 'done', steps: 3 },
    { outcome: 'done', stepCount: 3 },
  ],
  [{ steps: 2, stepCount: 3 }, { stepCount: 3 }],
  [{}, {}],
])('the metadata %j is read as %j', (given, read) => {
  expect(messageMetadata.parse(given)).toEqual(read)
  expect(chatEvent.parse({ type: 'finish', messageMetadata: given })).toEqual({ type: 'finish', messageMetadata: read })
})

test.each([[{ steps: [] }], [{ steps: -1 }], [{ stepCount: 1.5 }], ['text'], [null]])(
  '%j is invalid metadata',
  given => {
    expect(messageMetadata.safeParse(given).success).toBe(false)
  },
)
