import { createInterface } from 'node:readline'
import { Refused, type StepHands } from './mcp-script.test.helper.ts'
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

interface Message {
  readonly id?: number | string
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
  readonly params?: any
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/**
 * Speaks MCP of the revision of 2025-06-18 over the standard streams, without an SDK: a program starts in a tenth of the
 * time. What the official servers do is tested with those.
 *
 * @returns what says that the tools changed
 */
export const serveOldStdio = (host: ScriptedHost): (() => void) => {
  const open = new Map<unknown, AbortController>()
  const asked = new Map<unknown, (reply: Message) => void>()
  const send = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const notify = (method: string, params = {}) => send({ method, params })
  const toolsChanged = () => notify('notifications/tools/list_changed')

  const handsOf = ({ id, params }: Message, { signal }: AbortController): StepHands => ({
    signal,
    async ask(questions) {
      const replies: unknown[] = []
      for (const [at, question] of questions.entries()) {
        const key = `${id}-${at}`
        replies.push(
          await new Promise((resolve, reject) => {
            asked.set(key, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)))
            send({ id: key, method: 'elicitation/create', params: elicitation(question) })
          }),
        )
      }
      host.record({ what: 'answered', tool: params.name, replies })
      return replies
    },
    async progress(progress, total, message) {
      const progressToken = params._meta?.progressToken
      if (progressToken === undefined) return
      notify('notifications/progress', {
        progressToken,
        progress,
        ...(total && { total }),
        ...(message && { message }),
      })
    },
    async change(part) {
      host.change(part)
      toolsChanged()
    },
    exit: host.exit,
    garbage: host.garbage,
  })

  const answer = async (message: Message, abort: AbortController): Promise<unknown> => {
    const { method, params = {} } = message
    const { name = 'scripted', instructions } = host.script()
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: capabilities(host),
          serverInfo: { name, version: '1.2.3' },
          ...(instructions && { instructions }),
        }
      case 'ping':
        return {}
      case 'tools/list':
        return listTools(host, params.cursor)
      case 'tools/call':
        host.record({ what: 'called', tool: params.name, args: params.arguments })
        return callTool(host, params.name, params.arguments, handsOf(message, abort))
      case 'resources/list':
        return listResources(host)
      case 'resources/templates/list':
        return templates
      case 'resources/read':
        return readResource(host, params.uri)
      case 'prompts/list':
        return listPrompts(host)
      case 'prompts/get':
        return getPrompt(host, params.name)
      default:
        throw new Refused('Method not found', -32_601, undefined)
    }
  }

  const take = async (message: Message) => {
    const { id, method, params } = message
    if (method === undefined) return asked.get(id)?.(message)
    if (method === 'notifications/cancelled') return open.get(params.requestId)?.abort()
    if (id === undefined) return
    const abort = new AbortController()
    open.set(id, abort)
    try {
      const result = await answer(message, abort)
      if (!abort.signal.aborted) send({ id, result })
    } catch (error) {
      const { code = -32_603, data, message } = error as Partial<Refused>
      if (!abort.signal.aborted) send({ id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      open.delete(id)
    }
  }

  createInterface({ input: process.stdin }).on('line', line => void take(JSON.parse(line)))
  return toolsChanged
}
