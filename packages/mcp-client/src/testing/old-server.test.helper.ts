import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { StepHands } from './mcp-script.test.helper.ts'
import {
  callTool,
  capabilities,
  elicitation,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
  type ScriptedHost,
  templates,
} from './scripted-host.test.helper.ts'

/** A server of the revisions of 2024 and 2025. */
export const createOldServer = (host: ScriptedHost): OldServer => {
  const { name = 'scripted', instructions } = host.script()
  const server = new OldServer(
    { name, version: '1.2.3' },
    { capabilities: capabilities(host), ...(instructions && { instructions }) },
  )
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => listTools(host, params?.cursor) as never)
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sendRequest, sendNotification, _meta }) => {
      host.record({ what: 'called', tool: params.name, args: params.arguments })
      const hands: StepHands = {
        signal,
        async ask(questions) {
          const replies: unknown[] = []
          for (const question of questions) {
            const request = { method: 'elicitation/create', params: elicitation(question) }
            replies.push(await sendRequest(request as never, anything as never, { timeout: 2_000_000 }))
          }
          host.record({ what: 'answered', tool: params.name, replies })
          return replies
        },
        async progress(progress, total, message) {
          const progressToken = _meta?.progressToken
          if (progressToken === undefined) return
          const reported = { progressToken, progress, ...(total && { total }), ...(message && { message }) }
          await sendNotification({ method: 'notifications/progress', params: reported })
        },
        async change(part) {
          host.change(part)
          await server.sendToolListChanged()
        },
        exit: host.exit,
        garbage: host.garbage,
      }
      return (await callTool(host, params.name, params.arguments, hands)) as never
    },
  )
  if (host.script().resources) {
    server.setRequestHandler(ListResourcesRequestSchema, () => listResources(host))
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => templates)
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(host, params.uri))
  }
  if (host.script().prompts) {
    server.setRequestHandler(ListPromptsRequestSchema, () => listPrompts(host))
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(host, params.name))
  }
  return server
}

/** Takes every result; what the client answers is looked at by the test. */
const anything = { parse: (value: unknown) => value, safeParse: (data: unknown) => ({ success: true, data }) }
