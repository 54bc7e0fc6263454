import { expect, test } from 'vitest'
import { parseTraceParent } from './trace-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

test.each([
  [`00-${traceId}-${spanId}-01`, { traceId, spanId, sampled: true }],
  [`00-${traceId}-${spanId}-00`, { traceId, spanId, sampled: false }],
  [`cc-${traceId}-${spanId}-03-what-comes-later`, { traceId, spanId, sampled: true }],
])('reads %s', (header, expected) => {
  expect(parseTraceParent(header)).toEqual(expected)
})

test.each([
  undefined,
  '',
  'what is this',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01${'-x'.repeat(200)}`,
])('takes %s for none', header => {
  expect(parseTraceParent(header)).toBeUndefined()
})
