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
import { inputRequired, Server as NewServer } from '@modelcontextprotocol/server'
import {
  type McpScript,
  runSteps,
  type ScriptedEvent,
  type ScriptedQuestion,
  type ScriptedTool,
  type StepHands,
} from './mcp-script.test.helper.ts'

/** What a scripted server lives in: a program or a server of HTTP. */
export interface ScriptedHost {
  script(): McpScript
  change(part: Partial<McpScript>): void
  record(event: ScriptedEvent): void
  exit(code: number): void
  garbage(text: string): void
}

const listTools = ({ script, record }: ScriptedHost, cursor = '0') => {
  const { tools, pageSize = tools.length } = script()
  const from = Number(cursor)
  record({ what: 'listed' })
  const page = tools.slice(from, from + pageSize).map(asListed)
  return { tools: page, ...(from + pageSize < tools.length && { nextCursor: String(from + pageSize) }) }
}

const asListed = ({ does: _, inputSchema = { type: 'object', properties: {} }, ...tool }: ScriptedTool) => ({
  ...tool,
  inputSchema,
})

const callTool = async (host: ScriptedHost, name: string, args: unknown, hands: StepHands) => {
  const tool = host.script().tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  hands.signal.addEventListener('abort', () => host.record({ what: 'cancelled', tool: name }))
  const result = await runSteps(tool, args, hands)
  host.record({ what: 'finished', tool: name })
  return result
}

const listResources = ({ script }: ScriptedHost) => ({
  resources: (script().resources ?? []).map(({ uri, name }) => ({ uri, name })),
})

const readResource = ({ script }: ScriptedHost, uri: string) => {
  const found = script().resources?.find(one => one.uri === uri)
  if (!found) throw new Error('There is no such resource.')
  return { contents: [{ uri, text: found.text ?? '' }] }
}

const listPrompts = ({ script }: ScriptedHost) => ({
  prompts: (script().prompts ?? []).map(({ name }) => ({ name, arguments: [{ name: 'topic', required: false }] })),
})

const getPrompt = ({ script }: ScriptedHost, name: string) => ({
  messages: [
    {
      role: 'user' as const,
      content: { type: 'text' as const, text: script().prompts?.find(one => one.name === name)?.text ?? '' },
    },
  ],
})

const capabilities = ({ script }: ScriptedHost) => ({
  tools: { listChanged: true },
  ...(script().resources && { resources: {} }),
  ...(script().prompts && { prompts: {} }),
})

const elicitation = ({ message, requestedSchema, url }: ScriptedQuestion) =>
  url === undefined ? { message, requestedSchema } : { mode: 'url', message, url, elicitationId: message }

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
          const told = { progressToken, progress, ...(total && { total }), ...(message && { message }) }
          await sendNotification({ method: 'notifications/progress', params: told })
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

const templates = { resourceTemplates: [{ uriTemplate: 'note://{day}', name: 'note' }] }

/** Takes every result; what the client answers is looked at by the test. */
const anything = { parse: (value: unknown) => value, safeParse: (data: unknown) => ({ success: true, data }) }

/** A server of the revision of 2026-07-28; its questions come as results, and the call is sent anew with the answers. */
export const createNewServer = (host: ScriptedHost, toolsChanged: () => void): NewServer => {
  const { name = 'scripted', instructions } = host.script()
  const server = new NewServer(
    { name, version: '1.2.3' },
    { capabilities: capabilities(host), ...(instructions && { instructions }) },
  )
  server.setRequestHandler('tools/list', ({ params }) => listTools(host, params?.cursor) as never)
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { signal, inputResponses, _meta } = mcpReq
    host.record({ what: 'called', tool: params.name, args: params.arguments })
    const state = mcpReq.requestState<string>()
    const earlier = JSON.parse(state ?? '[]') as unknown[][]
    const answered = inputResponses ? [...earlier, Object.values(inputResponses)] : earlier
    let asked = 0
    const hands: StepHands = {
      signal,
      async ask(questions) {
        const replies = answered[asked++]
        if (!replies) throw new Asked(questions)
        host.record({ what: 'answered', tool: params.name, replies })
        return replies
      },
      async progress(progress, total, message) {
        const progressToken = _meta?.progressToken
        if (progressToken === undefined) return
        const told = { progressToken, progress, ...(total && { total }), ...(message && { message }) }
        await mcpReq.notify({ method: 'notifications/progress', params: told })
      },
      async change(part) {
        host.change(part)
        toolsChanged()
      },
      exit: host.exit,
      garbage: host.garbage,
    }
    try {
      return (await callTool(host, params.name, params.arguments, hands)) as never
    } catch (error) {
      if (!(error instanceof Asked)) throw error
      const requests = error.questions.map((question, place) => [
        `question-${place}`,
        { method: 'elicitation/create', params: elicitation(question) },
      ])
      return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: JSON.stringify(answered) })
    }
  })
  if (host.script().resources) {
    server.setRequestHandler('resources/list', () => listResources(host))
    server.setRequestHandler('resources/templates/list', () => templates)
    server.setRequestHandler('resources/read', ({ params }) => readResource(host, params.uri))
  }
  if (host.script().prompts) {
    server.setRequestHandler('prompts/list', () => listPrompts(host))
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(host, params.name))
  }
  return server
}

/** The steps go no further until these are answered. */
class Asked extends Error {
  readonly questions: readonly ScriptedQuestion[]

  constructor(questions: readonly ScriptedQuestion[]) {
    super('asked')
    this.questions = questions
  }
}
