import { isObject, parseJson } from '@sibyl/protocol'
import { type ChatMessage, readFinish, readUsage, repairMessage } from './chat-message.ts'

/** A whole completion. */
export interface Completion {
  readonly choices: readonly { readonly message: ChatMessage; readonly finish_reason: string }[]
  readonly usage?: Readonly<Record<string, unknown>> | undefined
}

/** Repairs a whole completion; undefined where the text is not one. */
export const repairCompletion = (text: string): Completion | undefined => {
  const whole = parseJson(text)
  if (!isObject(whole) || !Array.isArray(whole.choices)) return undefined
  const choices = whole.choices.flatMap(choice => {
    if (!isObject(choice) || !isObject(choice.message)) return []
    const message = repairMessage(choice.message)
    const hasCalls = message.tool_calls !== undefined
    return [{ ...choice, message, finish_reason: readFinish(choice.finish_reason, hasCalls) ?? endOf(hasCalls) }]
  })
  return choices.length === 0 ? undefined : { ...whole, choices, usage: readUsage(whole.usage) }
}

/** Why an answer ended that does not say it. */
export const endOf = (hasCalls: boolean): string => (hasCalls ? 'tool_calls' : 'stop')

/**
 * Makes the events of a stream out of a whole completion, for servers that ignore `stream: true`.
 *
 * @returns undefined where the text is not a completion
 */
export const completionEvents = (text: string): string | undefined => {
  const whole = repairCompletion(text)
  const [choice] = whole?.choices ?? []
  if (!whole || !choice) return undefined
  const { choices: _, usage, ...rest } = whole
  const chunk = { ...rest, object: 'chat.completion.chunk' }
  return [
    { ...chunk, choices: [{ index: 0, delta: choice.message }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: choice.finish_reason }], usage },
  ]
    .map(event => `data: ${JSON.stringify(event)}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('')
}
