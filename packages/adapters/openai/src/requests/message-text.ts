import { maxMessageCharacters } from '@sibyl/protocol'
import { z } from 'zod'

const textPart = z.looseObject({ type: z.enum(['text', 'input_text', 'output_text', 'refusal']) })
const otherPart = z.looseObject({ type: z.string().max(100) })

/** Content of a message: a text, or parts. */
export const messageContent = z.union([
  z.string().max(maxMessageCharacters * 4),
  z.array(z.union([textPart, otherPart])).max(200),
])

/** Content of a message. */
export type MessageContent = z.output<typeof messageContent>

/** Returns the text of a message; undefined where it has a part that is not text. */
export const textOfContent = (content: MessageContent | null | undefined): string | undefined => {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  const texts = content.map(part => {
    if (!textPart.safeParse(part).success) return undefined
    const text = 'text' in part ? part.text : 'refusal' in part ? part.refusal : ''
    return typeof text === 'string' ? text : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('\n')
}
