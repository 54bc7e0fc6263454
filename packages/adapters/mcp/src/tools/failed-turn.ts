import type { CallToolResult } from '@modelcontextprotocol/server'
import type { TurnResult } from '@sibyl/plugin'

/** Returns the result of a turn that did not come to its end. */
export const failedTurn = ({ outcome, code = `turn_${outcome}`, detail = code }: TurnResult): CallToolResult => ({
  content: [{ type: 'text', text: detail }],
  isError: true,
  _meta: { 'sibyl/code': code },
})
