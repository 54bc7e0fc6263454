import { isOracleError } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { agentErrors } from '../errors/agent-errors.ts'

/** Most bytes of a response that are read. */
const maxBytes = 4_000_000

const text = z.string()
const part = z.looseObject({
  text: text.optional(),
  raw: text.optional(),
  url: text.optional(),
  data: z.unknown().optional(),
  filename: text.optional(),
  mediaType: text.optional(),
})
const parts = z.array(part).max(1_000).default([])
const message = z.looseObject({ parts })

const task = z.looseObject({
  id: z.string().min(1).max(500),
  contextId: z.string().max(500).optional(),
  status: z.looseObject({ state: z.string().max(100), message: message.nullish() }),
  artifacts: z.array(z.looseObject({ parts })).max(500).default([]),
})

/** A task of another agent. */
export type RemoteTask = z.output<typeof task>

/** A part of an answer of another agent. */
export type RemotePart = z.output<typeof part>

const sent = z.union([z.looseObject({ task }), z.looseObject({ message })])
const failure = z.looseObject({ error: z.looseObject({ message: z.string().optional() }) })

/** Where and how an agent is called. */
export interface AgentEndpoint {
  /** Name for people. */
  readonly agent: string
  readonly url: URL
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  readonly tenant: string | undefined
  /** Whether the address may be in a private network. */
  readonly allowPrivate: boolean
  /** Returns the value of the `Authorization` header for one request; undefined for none. */
  authorization(): Promise<string | undefined>
}

/** A message for another agent. */
export interface OutgoingMessage {
  readonly messageId: string
  readonly contextId: string
  readonly taskId: string | undefined
  readonly text: string
}

export interface CallLimits {
  readonly signal: AbortSignal
  readonly timeLimitMs: number
}

/** Calls of another agent; its failures are `a2a_agent_failed` and `a2a_agent_unauthorized`. */
export type AgentClient = ReturnType<typeof createAgentClient>

export const createAgentClient = (endpoint: AgentEndpoint, fetch: GuardedFetch) => {
  const { agent, url, binding, tenant, allowPrivate } = endpoint
  const failed = (problem: string) => agentErrors.a2a_agent_failed({ agent, problem })

  const request = async (
    method: 'GET' | 'POST',
    to: URL,
    body: object | undefined,
    { signal, timeLimitMs }: CallLimits,
  ) => {
    const authorization = await endpoint.authorization()
    const answer = await fetch(to, {
      method,
      headers: {
        accept: 'application/json, application/a2a+json',
        'a2a-version': '1.0',
        'user-agent': 'Sibyl-A2A',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeLimitMs,
      maxBytes,
      maxRedirects: 0,
      allowPrivate,
      signal,
    }).catch(error => {
      signal.throwIfAborted()
      throw failed(isOracleError(error) ? error.message : 'the request failed.')
    })
    if (answer.status === 401 || answer.status === 403) throw agentErrors.a2a_agent_unauthorized({ agent })
    const value = answer.isComplete ? jsonOf(answer.body) : undefined
    if (value === undefined) throw failed(`it answered ${answer.status} without JSON, or with too much.`)
    const { data } = failure.safeParse(value)
    if (data) throw failed((data.error.message ?? `it answered ${answer.status}.`).slice(0, 500))
    if (answer.status >= 300) throw failed(`it answered ${answer.status}.`)
    return value
  }

  /** @param path Of the HTTP+JSON binding, with its method. */
  const call = async (method: string, params: object, path: readonly ['GET' | 'POST', string], limits: CallLimits) => {
    const withTenant = tenant ? { ...params, tenant } : params
    if (binding === 'JSONRPC') {
      const id = crypto.randomUUID()
      const answer = await request('POST', url, { jsonrpc: '2.0', id, method, params: withTenant }, limits)
      return (answer as { readonly result?: unknown }).result
    }
    const [verb, rest] = path
    const to = new URL(`${url.href.replace(/\/+$/, '')}${tenant ? `/${encodeURIComponent(tenant)}` : ''}${rest}`)
    return request(verb, to, verb === 'GET' ? undefined : withTenant, limits)
  }

  const read = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
    const { data, success } = schema.safeParse(value)
    if (!success) throw failed('its answer does not match A2A 1.0.')
    return data as z.output<Schema>
  }

  return {
    /** Sends a message, and waits for the answer as long as the agent does. */
    async send(
      { messageId, contextId, taskId, text }: OutgoingMessage,
      limits: CallLimits,
    ): Promise<RemoteTask | { readonly parts: readonly RemotePart[] }> {
      const message = {
        messageId,
        contextId,
        ...(taskId === undefined ? {} : { taskId }),
        role: 'ROLE_USER',
        parts: [{ text, mediaType: 'text/plain' }],
      }
      const params = { message, configuration: { acceptedOutputModes: ['text/plain', 'application/json'] } }
      const answer = read(sent, await call('SendMessage', params, ['POST', '/message:send'], limits))
      return 'task' in answer ? (answer.task as RemoteTask) : (answer.message as { readonly parts: RemotePart[] })
    },
    get: async (id: string, limits: CallLimits): Promise<RemoteTask> =>
      read(task, await call('GetTask', { id }, ['GET', `/tasks/${encodeURIComponent(id)}`], limits)),
    async cancel(id: string, limits: CallLimits): Promise<void> {
      await call('CancelTask', { id }, ['POST', `/tasks/${encodeURIComponent(id)}:cancel`], limits)
    },
  }
}

const jsonOf = (body: Uint8Array): unknown => parseJson(new TextDecoder().decode(body))
