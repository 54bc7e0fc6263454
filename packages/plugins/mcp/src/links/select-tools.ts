import type { McpTool } from '@sibyl/mcp-client'

/** Maximum number of offered tools per server, and of characters of their definitions together. */
const maxTools = 128
const maxCharacters = 120_000

/** A tool that is not offered, with the reason. */
export interface LeftOutTool {
  readonly name: string
  readonly fault: string
}

/** The offered tools of a server, in its order. */
export interface SelectedTools {
  readonly selected: readonly McpTool[]
  readonly leftOut: readonly LeftOutTool[]
}

/** Selects the first tools of a server, or those that the operator picked. @param picked the server's own names */
export const selectTools = (tools: readonly McpTool[], picked?: readonly string[]): SelectedTools => {
  const wanted = picked === undefined ? tools : tools.filter(({ name }) => picked.includes(name))
  const leftOut: LeftOutTool[] = (picked ?? [])
    .filter(name => !tools.some(tool => tool.name === name))
    .map(name => ({ name, fault: 'The file names it, but the server has no such tool.' }))
  const selected: McpTool[] = []
  let characters = 0
  for (const tool of wanted) {
    const size = tool.name.length + tool.description.length + JSON.stringify(tool.inputSchema).length
    if (selected.length >= maxTools) {
      leftOut.push({
        name: tool.name,
        fault: `Only the first ${maxTools} tools are offered. Select tools with "sibyl.tools".`,
      })
    } else if (characters + size > maxCharacters) {
      const violation = `With this tool the definitions would exceed ${maxCharacters} characters. Select tools with "sibyl.tools".`
      leftOut.push({ name: tool.name, fault: violation })
    } else {
      characters += size
      selected.push(tool)
    }
  }
  return { selected, leftOut }
}
