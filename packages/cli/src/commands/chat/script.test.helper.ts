import type { Script, ScriptedEvent } from '@sibyl/client/testing'

const last: ScriptedEvent = {
  type: 'finish',
  messageMetadata: { model: 'offline', steps: 3, durationMs: 210, outcome: 'done' },
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
        { type: 'tool-approval-request', approvalId: `ask-${turnId}`, toolCallId: 'p', reason: 'Send 5 € to Ada' },
        { type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } },
      ]

/** Speaks until it is stopped. */
export const endless: Script = async function* ({ stopped }) {
  yield { type: 'start', messageId: 'm' }
  yield { type: 'text-start', id: 'x' }
  yield { type: 'text-delta', id: 'x', delta: 'One two three ' }
  await new Promise(resolve => stopped.addEventListener('abort', resolve))
  yield { type: 'text-delta', id: 'x', delta: 'unwanted ' }
  yield { type: 'abort', reason: 'Stopped.' }
}
