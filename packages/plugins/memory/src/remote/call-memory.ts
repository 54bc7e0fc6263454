import { jsonOfResult, McpCallFailed, McpError, type McpService, McpToolMissing } from '@sibyl/mcp-client'
import type { Logger } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import type { z } from 'zod'
import { memoryErrors } from '../facts/memory-errors.ts'

/** Calls a tool of a remote memory and reads its result. */
export type CallMemory = <Schema extends z.ZodType>(
  tool: string,
  args: JsonObject,
  schema: Schema,
  signal?: AbortSignal,
) => Promise<z.output<Schema>>

/** Connection to a remote memory, and its log. */
export interface McpMemoryParts {
  readonly service: Pick<McpService, 'call'>
  readonly log: Pick<Logger, 'warn'>
}

/** Makes calls whose failures and results of another form are those of the memory: `memory_unavailable`, `memory_refused`, `memory_unmapped`. */
export const callMemory =
  ({ service, log }: McpMemoryParts): CallMemory =>
  async (tool, args, schema, signal) => {
    const answer = await resultOf(service, tool, args, signal)
    const read = schema.safeParse(answer)
    if (read.success) return read.data
    log.warn('the remote memory answered in a form of its own', { tool })
    throw memoryErrors.memory_refused()
  }

/** Returns the structured result of a tool, or the JSON of its text. */
const resultOf = async (
  service: Pick<McpService, 'call'>,
  tool: string,
  args: JsonObject,
  signal?: AbortSignal,
): Promise<unknown> => {
  const result = await service.call(tool, args, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (!(error instanceof McpError)) throw error
    if (error instanceof McpToolMissing) throw memoryErrors.memory_unmapped({ cause: error })
    throw error instanceof McpCallFailed
      ? memoryErrors.memory_refused({ cause: error })
      : memoryErrors.memory_unavailable({ cause: error })
  })
  if (result.isError || result.isCut) throw memoryErrors.memory_refused()
  return jsonOfResult(result)
}
