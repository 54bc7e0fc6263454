import { type Actor, type Host, holdsAbility, type Route, route, sseResponse } from '@sibyl/plugin'
import type { SessionMessage } from '@sibyl/plugin/host'
import { agUiErrors } from './errors/ag-ui-errors.ts'
import { refuseTurn } from './errors/refuse-turn.ts'
import type { AgUiMessage } from './events/ag-ui-event.ts'
import { messagesOf } from './events/messages-of.ts'
import { runEvents } from './events/run-events.ts'
import { type Run, readRun } from './requests/read-run.ts'
import { runAgentInput } from './requests/run-agent-input.ts'
import { startRun } from './start-run.ts'

/** Most bytes of a body: a client sends the whole conversation each time. */
const maxBodyBytes = 4_000_000

/** `POST /ag-ui`. */
export const runRoute = ({ turns }: Pick<Host, 'turns'>): Route =>
  route.post(
    '/ag-ui',
    {
      auth: { ucan: 'chat/send' },
      summary: 'Run a turn, as an agent of AG-UI',
      description:
        'The body is `RunAgentInput` of AG-UI 1.0; events come as server-sent events. `threadId` is the session. A run whose last ' +
        'message is from the user starts a turn. `resume` answers interrupts, and tool messages return the results of the ' +
        "client's tools. A run without any of these reads the thread. A message with the id of an earlier one replaces it and " +
        'everything after it, except answers that changed something. Stored messages come only with `session/read`.',
      body: runAgentInput,
      ok: {
        200: {
          description: 'The events of the run',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
      errors: Object.values(agUiErrors),
      maxBodyBytes,
      timeLimit: false,
    },
    async c => {
      const input = c.req.valid('json')
      const run = readRun(input)
      const actor = c.get('actor')
      const { threadId, runId } = input
      const disconnected = new AbortController()
      const { signal } = disconnected
      const started = await startRun(turns, { actor, threadId, runId, run, signal })
      if ('refused' in started) return refuseTurn(started.refused, c.get('requestId'))
      const events = runEvents({
        facts: {
          threadId,
          runId,
          parentRunId: input.parentRunId ?? undefined,
          protocolVersion: input.protocolVersion ?? undefined,
          state: input.state,
        },
        ...started,
        held: new Set(input.messages.map(({ id }) => id)),
        snapshot: await snapshotOf(turns, actor, threadId, started.isReading ? 'reading' : run),
        // A run that only reads shows stored questions to those who may read.
        pending: async () => (started.isReading && !maySeeStored(actor) ? [] : turns.pending(actor.did, threadId)),
      })
      return sseResponse(c, events, () => disconnected.abort())
    },
  )

/**
 * Returns the stored conversation for a run that reads it, and for a client that starts a turn and lacks messages before its own;
 * undefined for a caller that may not read sessions.
 */
const snapshotOf = async (
  turns: Host['turns'],
  actor: Actor,
  threadId: string,
  run: 'reading' | Pick<Run, 'message' | 'holdsUpTo'>,
): Promise<readonly AgUiMessage[] | undefined> => {
  if (!maySeeStored(actor)) return undefined
  if (run === 'reading') return messagesOf(await turns.messages(actor.did, threadId))
  const { message, holdsUpTo: after } = run
  if (!message) return undefined
  const isOwn = ({ id }: SessionMessage) => id === message.id
  const behind = await turns.messages(actor.did, threadId, after === undefined ? {} : { after })
  if (behind.findIndex(isOwn) <= 0) return undefined
  const stored = await turns.messages(actor.did, threadId)
  return messagesOf(stored.slice(0, stored.findIndex(isOwn) + 1))
}

const maySeeStored = ({ scopes }: Actor): boolean => holdsAbility(scopes, 'session/read')
