import type { CallToolResult, InputRequiredResult, Tool } from '@modelcontextprotocol/server'
import { newId, type TurnEvent } from '@sibyl/plugin/host'
import { chatLimits, identifier, type JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { invalidParams, turnRefused } from '../errors/turn-refused.ts'
import { askUser } from '../questions/ask-user.ts'
import { askedBefore, decideQuestions } from '../questions/asked-questions.ts'
import type { Caller } from '../turns/caller.ts'
import type { McpParts } from '../turns/mcp-parts.ts'
import { type ReadTurn, readTurn } from '../turns/read-turn.ts'
import { failedTurn } from './failed-turn.ts'
import { idempotencyKeyOf } from './repeated-call.ts'

/** The name of the tool for a whole turn. A tool of a plugin with this name is not listed. */
export const askOracleName = 'ask_oracle'

const askInput = z.object({
  message: z.string().min(1).max(chatLimits.messageCharacters).describe('What the user wants to know or have done'),
  session: identifier.optional().describe('The session of an earlier answer, to continue that conversation'),
})

const askOutput = z.object({
  answer: z.string(),
  session: z.string().describe('Send it with the next message to continue the conversation'),
  turn: z.string(),
})

const schemaOf = (schema: z.ZodType): Tool['inputSchema'] => ({
  ...(z.toJSONSchema(schema) as JsonObject),
  type: 'object',
})

/** Describes `ask_oracle`. */
export const askOracleTool = ({ oracle }: Pick<McpParts, 'oracle'>): Tool => ({
  name: askOracleName,
  title: `Ask ${oracle.name}`,
  description:
    `Asks the agent of ${oracle.name}${oracle.description === undefined ? '' : ` (${oracle.description})`}. It plans, calls its ` +
    'own tools and answers in words. Use it for requests that need several of its tools.',
  inputSchema: schemaOf(askInput),
  outputSchema: schemaOf(askOutput),
})

/** Runs a whole turn, with progress notifications where the client asks for them. */
export const askOracle = async (
  { turns, runs }: McpParts,
  caller: Caller,
  given: unknown,
): Promise<CallToolResult | InputRequiredResult> => {
  const asked = askedBefore(caller, askOracleName)
  const follow = progressOf(caller)
  const { actor, request } = caller
  const { did } = actor
  if (asked) {
    const turn = await readTurn(turns, { did, ...asked }, await decideQuestions(turns, asked, caller), follow)
    return answerOf(turn, asked.session, caller)
  }
  const input = askInput.safeParse(given ?? {})
  if (!input.success) throw invalidParams(`The arguments are invalid: ${z.prettifyError(input.error)}`)
  const { message, session = newId('mcp') } = input.data
  const run = await runs.begin(
    { actor, content: [input.data], key: idempotencyKeyOf(caller), keyReused, repeats: 'lost' },
    async ({ createdAt, within }) => {
      const place = { session, answer: '', createdAt }
      const turn = await turns.run({
        actor,
        session,
        text: message,
        channel: 'mcp',
        whenBusy: 'queue',
        approvals: 'ask',
        within: within(place),
      })
      return 'refused' in turn ? turn : { ...place, turn }
    },
  )
  if ('refused' in run) throw turnRefused(run.refused)
  // The reason of a cancellation is a text of the client; a connection that closes has none.
  onAbort(request.signal, ({ reason }) => (typeof reason === 'string' ? run.canceled() : run.disconnected()))
  // A client of an older revision that disconnects does not cancel its request.
  if (caller.connection) onAbort(caller.connection, () => run.disconnected('continues'))
  return answerOf(await readTurn(turns, { did, session: run.session }, run.turn, follow), run.session, caller)
}

const onAbort = (signal: AbortSignal, listener: (signal: AbortSignal) => void): void => {
  if (signal.aborted) listener(signal)
  else signal.addEventListener('abort', () => listener(signal), { once: true })
}

const keyReused = () => invalidParams('This idempotency key came with another message. Send a new key.')

const answerOf = (
  { result, questions }: ReadTurn,
  session: string,
  caller: Caller,
): CallToolResult | InputRequiredResult => {
  if (questions.length > 0) return askUser(questions, { session, tool: askOracleName }, caller)
  if (result.outcome !== 'done') return failedTurn(result)
  const { text: answer, turnId: turn } = result
  return {
    content: [{ type: 'text', text: answer }],
    structuredContent: { answer, session, turn } satisfies z.output<typeof askOutput>,
  }
}

/** The interval of notifications while text comes, in milliseconds: they keep the client's time limit from passing. */
const textIntervalMs = 1_000

/** Returns a function that reports the events of a turn as progress notifications, if the request has a progress token. */
const progressOf = ({ request }: Caller): ((event: TurnEvent['event']) => void) | undefined => {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  let textAt = Number.NEGATIVE_INFINITY
  const notify = (message: string) => {
    progress += 1
    // A client that is gone gets none.
    void request
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {})
  }
  return event => {
    if (event.type === 'tool-input-available') notify(`Calling ${event.toolName}`)
    if (event.type === 'tool-output-available') notify('The call has a result')
    if (event.type === 'tool-output-error') notify('The call failed')
    if (event.type === 'text-delta' && performance.now() - textAt >= textIntervalMs) {
      textAt = performance.now()
      notify('Writing the answer')
    }
  }
}
