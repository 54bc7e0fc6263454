import type { McpTool } from '@sibyl/mcp-client'

/** The most tools of a server that are offered, and how large their definitions may be together, in characters. */
const maxTools = 128
const maxCharacters = 120_000

/** A tool that is not offered, and why. */
export interface LeftOutTool {
  readonly name: string
  readonly fault: string
}

/** The tools of a server that are offered, in its order. */
export interface SelectedTools {
  readonly selected: readonly McpTool[]
  readonly leftOut: readonly LeftOutTool[]
}

/** Chooses the first tools of a server, or those that the operator picked. @param picked by the server's own names */
export const selectTools = (tools: readonly McpTool[], picked?: readonly string[]): SelectedTools => {
  const wanted = picked === undefined ? tools : tools.filter(({ name }) => picked.includes(name))
  const leftOut: LeftOutTool[] = (picked ?? [])
    .filter(name => !tools.some(tool => tool.name === name))
    .map(name => ({ name, fault: 'The file names it, and the server has no such tool.' }))
  const selected: McpTool[] = []
  let characters = 0
  for (const tool of wanted) {
    const size = tool.name.length + tool.description.length + JSON.stringify(tool.inputSchema).length
    if (selected.length >= maxTools) {
      leftOut.push({ name: tool.name, fault: `Only the first ${maxTools} are offered. Pick tools by "sibyl.tools".` })
    } else if (characters + size > maxCharacters) {
      const fault = `The definitions of more tools than these would be too large (${maxCharacters} characters). Pick tools by "sibyl.tools".`
      leftOut.push({ name: tool.name, fault })
    } else {
      characters += size
      selected.push(tool)
    }
  }
  return { selected, leftOut }
}
