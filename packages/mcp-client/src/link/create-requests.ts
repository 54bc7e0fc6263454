import {
  type Client,
  ProtocolError,
  type RequestOptions,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { McpContent } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import { McpCallFailed, type McpError, McpTimeout, McpUnavailable } from '../errors/mcp-errors.ts'
import { cutContent } from '../reading/cut-content.ts'
import { readContent, readResourceContent } from '../reading/read-content.ts'
import { readPrompt, readResource, readResourceTemplate } from '../reading/read-lists.ts'
import { createToolReader } from '../reading/read-tools.ts'
import { describeFailure } from './describe-failure.ts'
import { disclosedResult, disclosedTool } from './enclosed-tools.ts'
import { type CallAnswer, type CallRequest, type Link, StaleSession, tookTooLong } from './link.ts'

/** Dependencies of the requests of a connection. */
export interface RequestsOptions {
  readonly client: Client
  readonly name: string
  readonly limits: McpLimits
  readonly hasTools: boolean
  /** Called after every failure that may mean a lost connection. */
  readonly onDoubt: () => void
  /** Completes a pending authorization; false if it is not possible. */
  readonly authorize: (() => Promise<boolean>) | undefined
  /** Why the connection is over, once it is. */
  readonly over: () => McpError | undefined
}

type Requests = Pick<Link, 'listTools' | 'call' | 'resources' | 'resourceTemplates' | 'read' | 'prompts' | 'prompt'>

/** A time limit that the SDK never reaches; calls have their own. */
const never = 2_147_483_647
const maxPages = 100

/** The requests that a connection makes, each answer read with its schema. */
export const createRequests = ({
  client,
  name,
  limits,
  hasTools,
  onDoubt,
  over,
  authorize,
}: RequestsOptions): Requests => {
  /** The error of this package that stands for what was thrown. */
  const failure = async (error: unknown): Promise<Error> => {
    if (error instanceof UnauthorizedError) await authorize?.().catch(() => false)
    const described = describeFailure(name, error)
    if (!(described instanceof McpCallFailed)) {
      const ended = over()
      if (ended) return ended
    }
    if (isStale(error)) return new StaleSession(described.message)
    if (described instanceof McpUnavailable || described instanceof McpTimeout) onDoubt()
    return described
  }

  const request = async <T extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: T,
    signal?: AbortSignal,
    timeout = limits.callTimeoutMs,
  ): Promise<z.output<T>> => {
    try {
      return schema.parse(await client.request({ method, params }, z.unknown(), { timeout, ...(signal && { signal }) }))
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw await failure(error)
    }
  }

  /** Page after page, until the list ends, it is long enough, or the server turns in circles. */
  const pages = async (
    method: string,
    member: string,
    take: (items: readonly unknown[]) => boolean,
    signal?: AbortSignal,
  ) => {
    const schema = z.object({ [member]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) })
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const answer = await request(
        method,
        cursor === undefined ? {} : { cursor },
        schema,
        signal,
        limits.connectTimeoutMs,
      )
      const wantsMore = take(answer[member] as readonly unknown[])
      cursor = answer.nextCursor as string | undefined
      if (!wantsMore || cursor === undefined || seen.has(cursor)) return
      seen.add(cursor)
    }
  }

  const list = async <T>(
    method: string,
    member: string,
    read: (value: unknown, limits: McpLimits) => T | undefined,
    signal?: AbortSignal,
  ): Promise<readonly T[]> => {
    const items: T[] = []
    const take = (values: readonly unknown[]) => {
      for (const value of values) {
        const item = read(value, limits)
        if (item !== undefined && items.length < limits.maxListed) items.push(item)
      }
      return items.length < limits.maxListed
    }
    await pages(method, member, take, signal)
    return items
  }

  return {
    async listTools(signal) {
      const reader = createToolReader(limits)
      if (hasTools) {
        const take = (tools: readonly unknown[]) => {
          reader.add(tools.map(disclosedTool))
          return !reader.isFull
        }
        await pages('tools/list', 'tools', take, signal)
      }
      return reader.tools()
    },

    async call({ tool, args, input, signal, onProgress }: CallRequest): Promise<CallAnswer> {
      const params = {
        name: tool.name,
        arguments: args,
        ...(input && client.getProtocolEra() === 'modern' && { inputResponses: input.responses }),
        ...(input?.state !== undefined && { requestState: input.state }),
      }
      const options: RequestOptions & { toolDefinition: never } = {
        timeout: never,
        signal,
        allowInputRequired: true,
        onprogress: ({ progress, total, message }) =>
          onProgress({
            done: progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
        // With it the SDK sends the headers of the schema, and does not repeat a list or request.
        toolDefinition: { name: tool.name, inputSchema: tool.inputSchema } as never,
      }
      try {
        const answer = disclosedResult(await client.callTool(params, options))
        const wanted = inputSchema.safeParse(answer)
        if (!wanted.success) return { kind: 'result', result: answer }
        const { inputRequests, requestState } = wanted.data
        return {
          kind: 'input',
          requests: inputRequests,
          ...(requestState !== undefined && { state: requestState }),
        }
      } catch (error) {
        const urls = urlsOf(error)
        if (urls) return { kind: 'input', requests: urls }
        if (signal.reason === tookTooLong) onDoubt()
        throw await failure(error)
      }
    },

    resources: signal => list('resources/list', 'resources', readResource, signal),
    resourceTemplates: signal => list('resources/templates/list', 'resourceTemplates', readResourceTemplate, signal),
    prompts: signal => list('prompts/list', 'prompts', readPrompt, signal),

    async read(uri, signal) {
      const { contents } = await request('resources/read', { uri }, contentsSchema, signal)
      const parts = contents.flatMap((value): McpContent | McpContent[] => readResourceContent(value) ?? [])
      return cutContent(parts, limits.maxResultCharacters).kept
    },

    async prompt(prompt, args, signal) {
      const params = { name: prompt, arguments: args }
      const { messages } = await request('prompts/get', params, messagesSchema, signal)
      const known = messages.flatMap(({ role, content }) => {
        const part = readContent(content)
        return part ? [{ role, content: part }] : []
      })
      let left = limits.maxResultCharacters
      return known.flatMap(({ role, content }) => {
        const cut = cutContent([content], left)
        left = cut.left
        return cut.kept.map(part => ({ role, content: part }))
      })
    },
  }
}

const contentsSchema = z.object({ contents: z.array(z.unknown()) })

const messagesSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.unknown() })).max(1_000),
})

const inputSchema = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.unknown()).default({}),
  requestState: z.string().optional(),
})

const urlElicitationRequired = -32_042

const urlsSchema = z.object({ elicitations: z.array(z.record(z.string(), z.unknown())).min(1).max(10) })

/** The pages to which a server of 2025 sends a person before it does anything, as questions. */
const urlsOf = (error: unknown): Record<string, unknown> | undefined => {
  if (!(error instanceof ProtocolError) || error.code !== urlElicitationRequired) return undefined
  const parsed = urlsSchema.safeParse(error.data)
  if (!parsed.success) return undefined
  const asked = parsed.data.elicitations.map((params, place) => [
    String(place),
    { method: 'elicitation/create', params: { ...params, mode: 'url' } },
  ])
  return Object.fromEntries(asked)
}

/** The server has lost the session, or requires a new authorization; the request had no effect. */
const isStale = (error: unknown): boolean =>
  (error instanceof SdkHttpError && (error.status === 404 || isAboutSession(error))) ||
  error instanceof UnauthorizedError

/** Many servers answer a session that they have lost with 400, and say so in words of their own. */
const isAboutSession = ({ status, data }: SdkHttpError): boolean =>
  status === 400 &&
  /session|not.{0,9}initiali[sz]ed|no.{0,9}transport/i.test(String((data as { text?: unknown }).text ?? ''))
