import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { repairMessage } from './chat-message.ts'

const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.unknown(), tool_calls: z.array(z.looseObject({})).nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
})

/** Repairs a whole completion; undefined where the text is not one. */
export const repairCompletion = (text: string): z.output<typeof completion> | undefined => {
  const { data } = completion.safeParse(parseJson(text))
  return (
    data && { ...data, choices: data.choices.map(choice => ({ ...choice, message: repairMessage(choice.message) })) }
  )
}

/**
 * Makes the events of a stream out of a whole completion, for servers that ignore `stream: true`.
 *
 * @returns undefined where the text is not a completion
 */
export const completionEvents = (text: string): string | undefined => {
  const whole = repairCompletion(text)
  if (whole === undefined) return undefined
  const { choices, usage, ...rest } = whole
  const [{ message, finish_reason }] = choices as [(typeof choices)[number]]
  const { tool_calls, ...content } = message
  const delta = {
    ...content,
    ...(tool_calls ? { tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } : {}),
  }
  const chunk = { ...rest, object: 'chat.completion.chunk' }
  const end = { index: 0, delta: {}, finish_reason: finish_reason ?? (tool_calls ? 'tool_calls' : 'stop') }
  return [
    { ...chunk, choices: [{ index: 0, delta }] },
    { ...chunk, choices: [end], usage },
  ]
    .map(event => `data: ${JSON.stringify(event)}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('')
}
