import type { Script, ScriptedEvent } from '@sibyl/client/testing'

const last: ScriptedEvent = {
  type: 'finish',
  messageMetadata: { model: 'offline', stepCount: 3, durationMs: 210, outcome: 'done' },
}

/** A turn that only speaks. */
export const speak = (...deltas: readonly string[]): ScriptedEvent[] => [
  { type: 'start', messageId: 'm' },
  { type: 'text-start', id: 'x' },
  ...deltas.map(delta => ({ type: 'text-delta', id: 'x', delta })),
  { type: 'text-end', id: 'x' },
  last,
]

/** Says back what it hears. */
export const echo: Script = ({ text }) => speak('You said ', text, '.')

/** Finds a plugin, loads it and calls its tool. */
export const weather: Script = () => [
  { type: 'start', messageId: 'm' },
  { type: 'tool-input-available', toolCallId: '1', toolName: 'list_capabilities', input: {} },
  { type: 'tool-output-available', toolCallId: '1', output: {} },
  { type: 'tool-input-available', toolCallId: '2', toolName: 'load_capability', input: { names: ['weather'] } },
  { type: 'data-capability', data: { name: 'weather', tools: ['a', 'b'], tokens: 312 } },
  { type: 'tool-output-available', toolCallId: '2', output: {} },
  { type: 'tool-input-available', toolCallId: '3', toolName: 'get_current_weather', input: { city: 'Berlin' } },
  { type: 'tool-output-available', toolCallId: '3', output: {} },
  ...speak('It is 14 °C in Berlin', ' with slight rain.').slice(1),
]

/** Asks before it pays, and then says what it was told. */
export const pay: Script = ({ decided, turnId }) =>
  decided
    ? [
        { type: 'start', messageId: 'm' },
        decided.decision === 'deny'
          ? { type: 'tool-output-denied', toolCallId: 'p' }
          : { type: 'tool-output-available', toolCallId: 'p', output: {} },
        ...speak(`You said ${decided.decision}.`).slice(1),
      ]
    : [
        { type: 'start', messageId: 'm' },
        { type: 'tool-input-available', toolCallId: 'p', toolName: 'send_money', input: { to: 'Ada', memo: 'a\nb' } },
        {
          type: 'tool-approval-request',
          approvalId: `ask-${turnId}`,
          toolCallId: 'p',
          reason: 'Send 5 € to Ada\n\nto: "Ada"\nmemo:\n  | a\n  | b',
        },
        { type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } },
      ]

/** What `book` asks for. */
export const bookSchema = {
  type: 'object',
  properties: {
    day: { type: 'string', format: 'date', title: 'Day', description: 'When you\u001b[31m go' },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    cabin: { type: 'string', enum: ['in', 'out'], enumNames: ['Inside', 'Outside'] },
    meals: { type: 'boolean' },
  },
  required: ['day', 'seats', 'cabin'],
}

/** What a tool asks in the midst of its work. */
const ask = (approvalId: string, text: string, schema?: object): ScriptedEvent[] => [
  { type: 'data-question', id: approvalId, data: { approvalId, toolCallId: 'b', text, ...(schema ? { schema } : {}) } },
  { type: 'tool-approval-request', approvalId, toolCallId: 'b', reason: text },
  { type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } },
]

const start: ScriptedEvent = { type: 'start', messageId: 'm' }
const call: ScriptedEvent = {
  type: 'tool-input-available',
  toolCallId: 'b',
  toolName: 'book_ferry',
  input: { to: 'Dover' },
}

const reportedBy = (decision: string): ScriptedEvent[] => [
  start,
  { type: 'tool-output-available', toolCallId: 'b', output: {} },
  ...speak(`You said ${decision}.`).slice(1),
]

/** A tool that asks in the midst of its work, and then whether that is all. */
export const book: Script = ({ decided, turnId }) => {
  if (!decided) return [start, call, ...ask(`first-${turnId}`, 'When\u0007 do you go?', bookSchema)]
  const { approvalId, decision, data } = decided
  const isFirst = decision !== 'deny' && approvalId.startsWith('first')
  return isFirst ? [start, ...ask(`second-${turnId}`, `Really ${JSON.stringify(data)}?`)] : reportedBy(decision)
}

/** A tool that asks whether it shall go on. */
export const confirm: Script = ({ decided, turnId }) =>
  decided ? reportedBy(decided.decision) : [start, call, ...ask(`first-${turnId}`, 'Really?')]

/** Speaks until it is stopped. */
export const endless: Script = async function* ({ stopped }) {
  yield { type: 'start', messageId: 'm' }
  yield { type: 'text-start', id: 'x' }
  yield { type: 'text-delta', id: 'x', delta: 'One two three ' }
  await new Promise(resolve => stopped.addEventListener('abort', resolve))
  yield { type: 'text-delta', id: 'x', delta: 'unwanted ' }
  yield { type: 'abort', reason: 'Stopped.' }
}
