import type { Tool } from '@modelcontextprotocol/server'
import type { SessionTool, SessionTools } from '@sibyl/plugin/host'
import { turnRefused } from '../errors/turn-refused.ts'
import type { Caller } from '../turns/caller.ts'
import type { McpParts } from '../turns/mcp-parts.ts'
import { askOracleName, askOracleTool } from './ask-oracle.ts'
import { mainSession } from './session-ids.ts'

/** Returns the tools and capabilities of a caller. @param tool This tool and its capability alone. */
export const toolsOf = async (
  { turns }: Pick<McpParts, 'turns'>,
  { actor }: Caller,
  tool?: string,
): Promise<SessionTools> => {
  const listed = await turns.tools({ actor, session: mainSession, channel: 'mcp', tool })
  if ('refused' in listed) throw turnRefused(listed.refused)
  return { ...listed, tools: listed.tools.filter(({ name }) => name !== askOracleName) }
}

/** Returns the answer to `tools/list`: `ask_oracle`, and the tools that the gate allows to the caller. */
export const listTools = async (parts: McpParts, caller: Caller): Promise<Tool[]> => {
  const { tools } = await toolsOf(parts, caller)
  return [askOracleTool(parts), ...tools.map(describeTool)]
}

const describeTool = ({ name, description, inputSchema, outputSchema, effect }: SessionTool): Tool => ({
  name,
  description,
  inputSchema: { ...inputSchema, type: 'object' },
  ...(outputSchema ? { outputSchema: { ...outputSchema, type: 'object' as const } } : {}),
  annotations: { readOnlyHint: effect === 'read' },
})
