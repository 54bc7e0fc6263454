import type { CallToolResult } from '@modelcontextprotocol/server'
import type { TurnResult } from '@sibyl/plugin'

/** Returns the result of a turn that did not come to its end. */
export const failedTurn = ({ outcome, code = 'turn_failed' }: TurnResult): CallToolResult => {
  const text =
    outcome === 'stopped'
      ? 'The turn was stopped.'
      : code === 'turn_time_limit'
        ? 'The turn took longer than this oracle allows. Ask again, or for less.'
        : `The turn failed (${code}). Try again later; the operator finds the reason in the log.`
  return { content: [{ type: 'text', text }], isError: true }
}
