import { McpCallFailed, McpError, type McpPrompt, type McpResource } from '@sibyl/mcp-client'
import { cleanText, defineTool, type Tool, ToolFailure, type Tools, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import type { ServerLink } from '../links/server-link.ts'
import { contentText, resultText } from './result-text.ts'
import { approvalScope, asksPerson, describeCall, type ServerToolContext } from './server-tool.ts'

/** Maximum number of listed entries. */
const maxEntries = 100

type ResourceTool = 'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt'

/** Returns the names of the tools for a server's resources and prompts, if it has any. */
export const resourceToolNames = ({
  resources,
  prompts,
}: {
  resources: boolean
  prompts: boolean
}): ReadonlySet<ResourceTool> =>
  new Set<ResourceTool>([
    ...(resources ? (['list_resources', 'read_resource'] as const) : []),
    ...(prompts ? (['list_prompts', 'get_prompt'] as const) : []),
  ])

/** Creates those tools; if the operator picked tools, only the named ones. */
export const resourceTools = (names: ReadonlySet<ResourceTool>, context: ServerToolContext): Tools => {
  const { entry } = context
  const makers: Record<ResourceTool, () => Tool> = {
    list_resources: () => listResources(context) as Tool,
    read_resource: () => readResource(context) as Tool,
    list_prompts: () => listPrompts(context) as Tool,
    get_prompt: () => getPrompt(context) as Tool,
  }
  const offered = [...names].filter(name => entry.tools === undefined || entry.tools.includes(name))
  return Object.fromEntries(
    offered.map(name => {
      const tool = makers[name]()
      const describe = () => describeCall(entry.name, name)
      const approval = { approval: 'user' as const, approvalScope: approvalScope(entry), describe }
      const { ability } = entry
      return [name, { ...tool, ability, ...(asksPerson(entry.approval, name, true) ? approval : {}) }]
    }),
  )
}

const listResources = (context: ServerToolContext) =>
  defineTool({
    description: `Lists the resources of the MCP server ${context.entry.name}: URIs and URI templates.`,
    effect: 'read',
    input: z.object({}),
    execute: async (_, call) => {
      const link = await context.link(call)
      return reportedBy(context, link, async () => {
        const { connection } = link
        const [resources, templates] = await Promise.all([
          connection.resources(call.signal),
          connection.resourceTemplates(call.signal),
        ])
        return listText([...resources, ...templates].map(resourceLine))
      })
    },
  })

const readResource = (context: ServerToolContext) =>
  defineTool({
    description: `Reads a resource of the MCP server ${context.entry.name} by its URI.`,
    effect: 'read',
    input: z.object({ uri: z.string().min(1).max(4_000) }),
    execute: async ({ uri }, call) => {
      const link = await context.link(call)
      return reportedBy(context, link, async () =>
        resultText({ content: await link.connection.read(uri, call.signal) }, link.redact),
      )
    },
  })

const listPrompts = (context: ServerToolContext) =>
  defineTool({
    description: `Lists the prompts of the MCP server ${context.entry.name}.`,
    effect: 'read',
    input: z.object({}),
    execute: async (_, call) => {
      const link = await context.link(call)
      return reportedBy(context, link, async () =>
        listText((await link.connection.prompts(call.signal)).map(promptLine)),
      )
    },
  })

const getPrompt = (context: ServerToolContext) =>
  defineTool({
    description: `Gets a prompt of the MCP server ${context.entry.name} with its arguments filled in.`,
    effect: 'read',
    input: z.object({
      name: z.string().min(1).max(256),
      arguments: z.record(z.string().max(200), z.string().max(10_000)).optional(),
    }),
    execute: async ({ name, arguments: given = {} }, call) => {
      const link = await context.link(call)
      return reportedBy(context, link, async () => {
        const messages = await link.connection.prompt(name, given, call.signal)
        const texts = messages.map(({ role, content }) => ({
          type: 'text' as const,
          text: `${role}: ${contentText(content)}`,
        }))
        return resultText({ content: texts }, link.redact)
      })
    },
  })

/** Returns the server's response, marked as untrusted content. */
const reportedBy = async ({ entry }: ServerToolContext, { redact }: ServerLink, work: () => Promise<string>) => {
  try {
    return untrustedContent(`the MCP server ${entry.name}`, redact(await work()))
  } catch (error) {
    if (error instanceof McpCallFailed && error.said) {
      return { failed: true, ...untrustedContent(`the MCP server ${entry.name}`, redact(error.said)) }
    }
    if (error instanceof McpError) throw new ToolFailure(redact(error.message))
    throw error
  }
}

const listText = (lines: readonly string[]): string => {
  if (lines.length === 0) return 'The list is empty.'
  const more = lines.length > maxEntries ? [`… and ${lines.length - maxEntries} more`] : []
  return [...lines.slice(0, maxEntries), ...more].join('\n')
}

const resourceLine = ({ uri, name, description, mimeType }: McpResource): string =>
  `${cleanText(uri, { maxLength: 500 })}: ${cleanText([name, mimeType, description].filter(Boolean).join(', '), { maxLength: 300 })}`

const promptLine = ({ name, description, arguments: given }: McpPrompt): string => {
  const shown = given
    .map(({ name, required }) => `${cleanText(name, { maxLength: 60 })}${required ? '' : '?'}`)
    .join(', ')
  return `${cleanText(name, { maxLength: 200 })}(${shown})${description ? `: ${cleanText(description, { maxLength: 300 })}` : ''}`
}
