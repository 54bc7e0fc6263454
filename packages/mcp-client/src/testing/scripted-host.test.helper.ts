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

export const listTools = ({ script, record }: ScriptedHost, cursor = '0') => {
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

export const callTool = async (host: ScriptedHost, name: string, args: unknown, hands: StepHands) => {
  const tool = host.script().tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  hands.signal.addEventListener('abort', () => host.record({ what: 'cancelled', tool: name }))
  const result = await runSteps(tool, args, hands)
  host.record({ what: 'finished', tool: name })
  return result
}

export const listResources = ({ script }: ScriptedHost) => ({
  resources: (script().resources ?? []).map(({ uri, name }) => ({ uri, name })),
})

export const readResource = ({ script }: ScriptedHost, uri: string) => {
  const found = script().resources?.find(one => one.uri === uri)
  if (!found) throw new Error('There is no such resource.')
  return { contents: [{ uri, text: found.text ?? '' }] }
}

export const listPrompts = ({ script }: ScriptedHost) => ({
  prompts: (script().prompts ?? []).map(({ name }) => ({ name, arguments: [{ name: 'topic', required: false }] })),
})

export const getPrompt = ({ script }: ScriptedHost, name: string) => ({
  messages: [
    {
      role: 'user' as const,
      content: { type: 'text' as const, text: script().prompts?.find(one => one.name === name)?.text ?? '' },
    },
  ],
})

export const capabilities = ({ script }: ScriptedHost) => ({
  tools: { listChanged: true },
  ...(script().resources && { resources: {} }),
  ...(script().prompts && { prompts: {} }),
})

export const elicitation = ({ message, requestedSchema, url }: ScriptedQuestion) =>
  url === undefined ? { message, requestedSchema } : { mode: 'url', message, url, elicitationId: message }

export const templates = { resourceTemplates: [{ uriTemplate: 'note://{day}', name: 'note' }] }
