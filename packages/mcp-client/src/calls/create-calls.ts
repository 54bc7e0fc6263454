import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { McpCallOptions, McpLog, McpOutcome, McpTool } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import { McpCallFailed, McpUnavailable } from '../errors/mcp-errors.ts'
import type { AskedQuestion, CallAnswer, Link, QuestionReply } from '../link/link.ts'
import { StaleSession } from '../link/link.ts'
import { readResult } from '../reading/read-content.ts'
import { createOpenCall, type OpenCall } from './open-call.ts'
import { readQuestion } from './read-question.ts'

export interface CallsOptions {
  readonly server: string
  readonly limits: McpLimits
  readonly now: () => number
  readonly log: McpLog
  /** The connection, once it is ready. */
  readonly link: (signal?: AbortSignal) => Promise<Link>
  /** A new connection in the place of one that the server knows no more. */
  readonly renew: (stale: Link, signal?: AbortSignal) => Promise<Link>
}

/** The calls of one connection. */
export interface Calls {
  /** The number of open calls. */
  readonly open: number
  call(tool: McpTool, args: JsonObject, options?: McpCallOptions): Promise<McpOutcome>
  /** Asks the person behind the call that the question belongs to. */
  question(asked: AskedQuestion): Promise<QuestionReply>
  /** Ends all that are open, those that wait for a person among them. */
  stop(error: unknown): void
}

/** Maximum questions of a server in one call. */
const maxRounds = 10
/** Delay if a server requests a repeat without a question, in milliseconds. */
const againAfterMs = 250

const embeddedSchema = z.object({ method: z.literal('elicitation/create'), params: z.unknown() })

/** Makes calls of tools, and leads the server's questions to those who called. */
export const createCalls = ({ server, limits, now, log, link, renew }: CallsOptions): Calls => {
  const open = new Set<OpenCall>()
  const current = new AsyncLocalStorage<OpenCall>()
  const changes = new Set<() => void>()

  const send = async (call: OpenCall, tool: McpTool, args: JsonObject): Promise<McpOutcome> => {
    let input: { responses: Record<string, QuestionReply>; state?: string } | undefined
    for (let round = 0; round < maxRounds; round++) {
      const answer = await sendOnce(call, tool, args, input)
      if (answer.kind === 'result') return resultOf(answer.result)
      const responses: Record<string, QuestionReply> = {}
      for (const [key, request] of Object.entries(answer.requests)) responses[key] = await answerTo(call, request)
      if (Object.keys(responses).length === 0) await new Promise(resolve => setTimeout(resolve, againAfterMs))
      input = { responses, ...(answer.state !== undefined && { state: answer.state }) }
    }
    throw new McpCallFailed(`The MCP server ${server} asked more than ${maxRounds} times in one call.`)
  }

  const resultOf = (result: unknown): McpOutcome => {
    try {
      return readResult(result, limits.maxResultCharacters)
    } catch (cause) {
      throw new McpCallFailed(`The MCP server ${server} returned an invalid MCP message.`, { cause, isUnread: true })
    }
  }

  const sendOnce = async (
    call: OpenCall,
    tool: McpTool,
    args: JsonObject,
    input: { responses: Record<string, QuestionReply>; state?: string } | undefined,
  ): Promise<CallAnswer> => {
    const request = { tool, args, ...(input && { input }), signal: call.signal, onProgress: call.progress }
    const first = await link(call.signal)
    try {
      return await first.call(request)
    } catch (error) {
      if (!(error instanceof StaleSession)) throw error
    }
    // The server has not run it: the session is unknown, or requires a new authorization.
    const second = await renew(first, call.signal)
    try {
      return await second.call(request)
    } catch (error) {
      throw error instanceof StaleSession ? new McpUnavailable(error.message) : error
    }
  }

  const answerTo = async (call: OpenCall, request: unknown): Promise<QuestionReply> => {
    const embedded = embeddedSchema.safeParse(request)
    if (!embedded.success)
      throw new McpCallFailed(`The MCP server ${server} requests a feature that this client does not offer.`)
    return ask(call, { params: embedded.data.params, signal: call.signal })
  }

  const ask = async (call: OpenCall, { params, signal }: AskedQuestion): Promise<QuestionReply> => {
    const question = readQuestion(server, params)
    if (question) return call.ask(question, signal)
    log.warn('A question of an MCP server was declined: its schema is not a flat object', { server })
    return { action: 'decline' }
  }

  /**
   * Over one channel a question does not say which call it belongs to. It can only be one that was open when it came, and
   * that waits for no person; once only one of them is left, it is that one.
   */
  const callBehind = (signal: AbortSignal): Promise<OpenCall | undefined> => {
    const idle = [...open].filter(call => call.waiting === 0)
    const candidates = new Set(idle.length > 0 ? idle : open)
    return new Promise(resolve => {
      const check = () => {
        for (const call of candidates) if (!open.has(call)) candidates.delete(call)
        if (candidates.size > 1 && !signal.aborted) return
        changes.delete(check)
        signal.removeEventListener('abort', check)
        resolve(signal.aborted ? undefined : [...candidates][0])
      }
      changes.add(check)
      signal.addEventListener('abort', check, { once: true })
      check()
    })
  }

  return {
    get open() {
      return open.size
    },
    async call(tool, args, options = {}) {
      options.signal?.throwIfAborted()
      const call = createOpenCall({ server, limits, now })
      open.add(call)
      const work = current.run(call, () => send(call, tool, args))
      work
        .then(
          outcome => call.end({ outcome }),
          error => call.end({ error }),
        )
        .finally(() => {
          open.delete(call)
          for (const check of [...changes]) check()
        })
      return call.next(options)
    },

    async question(asked) {
      const call = current.getStore() ?? (await callBehind(asked.signal))
      if (call && open.has(call)) return ask(call, asked)
      log.warn('A question of an MCP server was canceled: it belongs to no call', { server })
      return { action: 'cancel' }
    },

    stop(error) {
      for (const call of open) call.stop(error)
    },
  }
}
