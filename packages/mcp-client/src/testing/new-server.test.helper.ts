import { inputRequired, Server as NewServer } from '@modelcontextprotocol/server'
import type { ScriptedQuestion, StepHands } from './mcp-script.test.helper.ts'
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
        const reported = { progressToken, progress, ...(total && { total }), ...(message && { message }) }
        await mcpReq.notify({ method: 'notifications/progress', params: reported })
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
