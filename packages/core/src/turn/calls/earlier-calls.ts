import { ToolFailure } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { jsonCopy, readJson } from '../../database/stored-json.ts'
import { type BegunCall, endingOf, endingText } from '../store/tool-call-store.ts'
import type { CallingTurn, JudgedCall, ToolCallResult } from './calling-turn.ts'
import { runToolCall } from './run-tool-call.ts'
import { settleUnknown } from './unknown-outcome.ts'

/**
 * Returns what runs the calls of an agent that runs again because the process of its turn ended. The model may call in another
 * order and with other ids. A call with the tool and the arguments of one that had begun before takes its result, each once.
 *
 * @param begun The writing calls of the agent, in the order in which they began.
 */
export const withEarlierCalls = (begun: readonly BegunCall[]): NonNullable<CallingTurn['runCall']> => {
  const left = begun.map(call => ({ ...call, identity: identityOf(call.tool, call.input) }))
  return async (call, run) => {
    const identity = identityOf(call.name, jsonCopy(call.input))
    const index = left.findIndex(one => one.identity === identity)
    const [earlier] = index < 0 ? [] : left.splice(index, 1)
    return earlier ? settle(earlier, call, run) : runToolCall(call, run)
  }
}

const settle = async (earlier: BegunCall, call: JudgedCall, run: CallingTurn): Promise<ToolCallResult> => {
  const ending = endingOf(earlier)
  if (typeof ending === 'object') return { output: readJson<JsonValue>(ending.output, null) }
  const toolCallId = earlier.toolCallId.slice(earlier.toolCallId.indexOf('/') + 1)
  const settled = ending === 'unknown' ? await settleUnknown({ ...call, toolCallId }, run) : undefined
  if (settled && !('ask' in settled)) return settled
  throw new ToolFailure(endingText[ending])
}

/** Returns the identity of an effect within its agent: the tool and the arguments, whatever the order of their members. */
const identityOf = (tool: string, input: JsonValue): string =>
  JSON.stringify([tool, input], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
