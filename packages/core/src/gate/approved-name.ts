import type { OfferedTool } from '../tools/turn-tools.ts'

/** As what a tool is noted that a person approved for a session: its name, and what the approval is for beside it. */
export const approvedName = (tool: string, scope: string | undefined): string =>
  scope === undefined ? tool : `${tool} ${scope}`

/** The same of a tool as it is offered. */
export const approvedNameOf = ({ name, tool }: Pick<OfferedTool, 'name' | 'tool'>): string =>
  approvedName(name, tool.approvalScope)
