import type { McpCallOptions } from '@sibyl/mcp-client'
import { cleanText, type ToolCall } from '@sibyl/plugin'

/** Maximum number of parts of one call, and the pause between two of them, in milliseconds. */
const maxParts = 100
const everyMs = 1_000

/** Writes the progress of a call as parts of the response, `data-tool-progress`. */
export const tellProgress = (
  { toolCallId, emit }: Pick<ToolCall, 'toolCallId' | 'emit'>,
  redact: (text: string) => string,
  now: () => number,
): NonNullable<McpCallOptions['onProgress']> => {
  let told = 0
  let last = Number.NEGATIVE_INFINITY
  return ({ done, total, message }) => {
    const isEnd = total !== undefined && done >= total
    if (told >= maxParts || (!isEnd && now() - last < everyMs)) return
    told += 1
    last = now()
    emit({
      name: 'tool-progress',
      data: {
        toolCallId,
        done,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: cleanText(redact(message), { maxLength: 200 }) }),
      },
    })
  }
}
