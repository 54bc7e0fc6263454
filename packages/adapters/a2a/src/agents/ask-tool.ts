import { createHash } from 'node:crypto'
import { type Actor, defineTool, pause, type Tool, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import { agentErrors } from '../errors/agent-errors.ts'
import type { AgentClient, RemotePart, RemoteTask } from './agent-client.ts'

/** Time limits of a call, and of one request of it, in milliseconds. */
const callLimitMs = 120_000
const requestLimitMs = 100_000

/** Pause before a task that still runs is read again, in milliseconds. */
const pollMs = 2_000

export interface AskToolParts {
  /** Name of the capability. */
  readonly agent: string
  readonly host: string
  readonly approvalScope: string
  clientFor(actor: Actor): Promise<AgentClient>
}

const input = z.object({
  message: z
    .string()
    .min(1)
    .max(20_000)
    .describe('The whole request in plain text; the agent knows nothing else of this conversation'),
  task: z.string().max(500).optional().describe('`task` of an earlier answer that asked for input'),
})

const output = z.object({
  state: z.string(),
  task: z.string().optional(),
  source: z.string(),
  notice: z.string(),
  text: z.string(),
})

export const askTool = ({ agent, host, approvalScope, clientFor }: AskToolParts): Tool =>
  defineTool({
    description: `Sends a message to the agent ${agent} and returns its answer. If its state is input-required, ask the user, and send the answer with \`task\`.`,
    input,
    output,
    effect: 'write',
    approval: 'user',
    approvalScope,
    describe: () => `Send this message to the agent “${agent}” at ${host}`,
    timeLimitSeconds: callLimitMs / 1_000 + 10,
    async execute({ message, task: taskId }, { turn, signal, idempotencyKey }) {
      const limit = AbortSignal.timeout(callLimitMs)
      const limits = { signal: AbortSignal.any([signal, limit]), timeLimitMs: requestLimitMs }
      const client = await clientFor(turn.actor)
      const answer = await client.send(
        {
          messageId: idOf(idempotencyKey),
          contextId: idOf(turn.actor.did, turn.session.id, agent),
          taskId,
          text: message,
        },
        limits,
      )
      if (!('status' in answer))
        return { state: 'completed', ...untrustedContent(`the agent ${agent}`, answerText(answer)) }
      const task = await ended(client, answer, limits)
      const state = stateOf(task)
      if (state === 'auth-required') throw agentErrors.a2a_agent_unauthorized({ agent })
      return {
        state,
        ...(state === 'input-required' ? { task: task.id } : {}),
        ...untrustedContent(`the agent ${agent}`, answerText(task)),
      }
    },
  }) as Tool

/** Waits for a task; one that is given up is canceled. */
const ended = async (
  client: AgentClient,
  first: RemoteTask,
  limits: { readonly signal: AbortSignal; readonly timeLimitMs: number },
): Promise<RemoteTask> => {
  let task = first
  try {
    while (['submitted', 'working'].includes(stateOf(task))) {
      await pause(pollMs, limits.signal)
      task = await client.get(task.id, limits)
    }
    return task
  } catch (error) {
    if (limits.signal.aborted) {
      await client.cancel(task.id, { signal: AbortSignal.timeout(5_000), timeLimitMs: 5_000 }).catch(() => {})
    }
    throw error
  }
}

/** Returns the state of a task in short: `input-required`. */
const stateOf = ({ status: { state } }: RemoteTask): string =>
  state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')

/** Returns an id that says nothing of its parts. */
const idOf = (...parts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(['a2a', ...parts]))
    .digest('base64url')
    .slice(0, 24)

/** Maximum length of an answer for the model, in characters. */
const maxText = 40_000

/** Returns what another agent answered as text, cut to a length that suits a conversation. */
const answerText = (answer: RemoteTask | { readonly parts: readonly RemotePart[] }): string => {
  const parts =
    'status' in answer
      ? [...answer.artifacts.flatMap(artifact => artifact.parts), ...(answer.status.message?.parts ?? [])]
      : answer.parts
  const text = parts
    .map(partText)
    .filter(one => one !== '')
    .join('\n\n')
  return text.length <= maxText
    ? text
    : `${text.slice(0, maxText)}\n[Truncated: the first ${maxText} of ${text.length} characters.]`
}

const partText = ({ text, raw, url, data, filename, mediaType }: RemotePart): string => {
  if (text !== undefined) return text
  if (url !== undefined) return `${filename ?? 'file'}: ${url}`
  if (raw !== undefined) {
    const bytes = Math.floor((raw.length * 3) / 4)
    return `[${[filename, mediaType ?? 'file', `${bytes} bytes`].filter(Boolean).join(', ')}, not shown]`
  }
  return data === undefined ? '' : JSON.stringify(data)
}
