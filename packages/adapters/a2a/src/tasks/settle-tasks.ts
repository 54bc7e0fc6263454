import {
  consentText,
  effectsText,
  type Host,
  type StartedTurn,
  type TurnEnd,
  type TurnHooks,
  type TurnRecord,
  type TurnResult,
} from '@sibyl/plugin'
import type { TurnEvent } from '@sibyl/plugin/host'
import type { personFiles, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import type { Task } from './task.ts'
import type { Ending, TaskStore } from './task-store.ts'
import type { Artifact, Question } from './task-tables.ts'

/** The most characters of an approval question that the status of a task shows. */
export const maxQuestion = 16_000

/** Stores what the turns of tasks left, however they end. */
export interface TaskSettling {
  /** Stores what a turn leaves once it ends, whether a client waits or not. */
  watch(task: Task, started: StartedTurn): void
  /** Resolves with the task once its turn has ended and is stored, wherever it runs. */
  ended(task: Task): Promise<Task>
  /** Settles what no process of this oracle settled: after a crash, or where a question was answered elsewhere. */
  readonly hooks: TurnHooks
}

export const createTaskSettling = (
  { turns, log }: Pick<Host, 'turns' | 'log'>,
  store: TaskStore,
  files: ServiceOf<typeof personFiles> | undefined,
): TaskSettling => {
  const underWay = new Map<string, Promise<Task>>()

  const settle = async (task: Task, started: StartedTurn): Promise<Task> => {
    const result = await started.finished
    const questions = result.outcome === 'awaiting-approval' ? await questionsOf(task) : []
    const text = result.text.trim() === '' ? [] : [{ turn: task.turn, text: result.text }]
    // The tools are unknown for a turn of another process.
    const ranTools = result.tools === undefined || Object.keys(result.tools).length > 0
    const artifacts = [...text, ...(files && ranTools ? await madeFiles(files, task, started) : [])]
    return store.settle(task, { ...endingOf(result, questions), artifacts })
  }

  const questionsOf = async ({ owner, context, turn }: Task): Promise<Question[]> =>
    (await turns.pending(owner, context))
      .filter(({ turnId }) => turnId === turn)
      .map(({ approvalId, text, schema }) => ({ approvalId, text, ...(schema ? { schema } : {}) }))

  const ended = async (task: Task): Promise<Task> => {
    if (task.state !== 'working') return task
    const known = underWay.get(task.turn)
    if (known) return known
    const started = await turns.follow(task.owner, task.turn)
    return started ? settle(task, started) : store.settle(task, lost)
  }

  const after = async (turn: TurnRecord, _: TurnEnd): Promise<void> => {
    if (turn.channel !== 'a2a') return
    if (await underWay.get(turn.id)) return
    const task = await store.byTurn(turn.actor.did, turn.id)
    if (task) return void (await ended(task))
    const waiting = await store.waitingIn(turn)
    const gone = waiting && (await store.resume(waiting, { turn: turn.id, startedAt: turn.startedAt }))
    if (gone) await ended(gone)
  }

  return {
    watch(task, started) {
      if (task.state !== 'working' || underWay.has(task.turn)) return
      const settled = settle(task, started).finally(() => underWay.delete(task.turn))
      underWay.set(task.turn, settled)
      settled.catch(error =>
        log.warn('the end of a task could not be stored; this is retried', { task: task.id, error }),
      )
    },
    ended,
    hooks: { after },
  }
}

const lost: Ending = { state: 'failed', statusText: 'The result of this task was lost. Send the message again.' }

/** Returns the files that a turn made or changed, of those that its tools named. */
const madeFiles = async (
  files: ServiceOf<typeof personFiles>,
  { owner, turn, startedAt }: Task,
  { events }: StartedTurn,
): Promise<Artifact[]> => {
  const made: Artifact[] = []
  for (const { path, sha256 } of (await namedFiles(events)).slice(0, maxFiles)) {
    const url = files.urlOf(path)
    const file = await files.findByUrl(owner, url)
    if (file?.sha256 !== sha256 || Date.parse(file.updatedAt) < startedAt) continue
    made.push({ turn, text: '', file: { path: file.path, mediaType: file.mediaType, url } })
  }
  return made
}

/** Most files of one turn. */
const maxFiles = 10

const endingOf = (result: TurnResult, questions: readonly Question[]): Omit<Ending, 'artifacts'> => {
  switch (result.outcome) {
    case 'done':
      return { state: 'completed', statusText: null }
    case 'stopped':
      return { state: 'canceled', statusText: 'The task was canceled.' }
    case 'awaiting-approval': {
      const texts = questions.map(({ text }) => text)
      return { state: 'input-required', statusText: consentText(texts, maxQuestion), questions }
    }
    case 'interrupted': {
      const acted = result.hasActed ? ` ${effectsText}` : ''
      return { state: 'failed', statusText: `The oracle was stopped during the task.${acted}` }
    }
    default:
      return { state: 'failed', statusText: `${result.detail ?? 'The task failed.'} (${result.code ?? 'turn_failed'})` }
  }
}

/** A file that a tool named in its output. */
interface NamedFile {
  readonly path: string
  readonly sha256: string
}

const namedFile = z.object({ path: z.string().max(4_096), sha256: z.string().length(64) })

/** Reads a turn to its end, and returns the files that its tools name. */
const namedFiles = async (events: AsyncIterable<TurnEvent>): Promise<readonly NamedFile[]> => {
  const files = new Map<string, NamedFile>()
  for await (const { event } of events) {
    const file = event.type === 'tool-output-available' ? namedFile.safeParse(event.output).data : undefined
    if (file) files.set(file.path, file)
  }
  return [...files.values()]
}
