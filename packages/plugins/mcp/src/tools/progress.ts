import type { McpCallOptions } from '@sibyl/mcp-client'
import { cleanText, type ToolCall } from '@sibyl/plugin'

/** Maximum number of parts of one call, and the pause between two of them, in milliseconds. */
const maxParts = 100
const everyMs = 1_000

/** Writes the progress of a call as parts of the response, `data-tool-progress`. */
export const reportProgress = (
  { toolCallId, emit }: Pick<ToolCall, 'toolCallId' | 'emit'>,
  redact: (text: string) => string,
  now: () => number,
): NonNullable<McpCallOptions['onProgress']> => {
  let reported = 0
  let last = Number.NEGATIVE_INFINITY
  return ({ done, total, message }) => {
    const isEnd = total !== undefined && done >= total
    if (reported >= maxParts || (!isEnd && now() - last < everyMs)) return
    reported += 1
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
