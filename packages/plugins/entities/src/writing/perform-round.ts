import { StorageError, sql } from '@sibyl/plugin/storage'
import { entitiesErrors, entityInvalid } from '../errors/entities-errors.ts'
import type { EdgeStore } from '../graph/edge-store.ts'
import type { RelationshipRules } from '../graph/relationship-rules.ts'
import { insertEvents, type SignedChange } from '../history/sign-links.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import { violationOf } from '../state/entity-limits.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntities, saveEntities } from '../storage/entity-rows.ts'
import type { Projection } from '../storage/projection.ts'
import { findReplies, type KeptReply, keepReply, repeatedReply } from './replies.ts'
import type { TaskOutcome } from './write-rounds.ts'
import { type Answer, Clash, type PreparedWrite, type WriteTask } from './write-task.ts'

export interface RoundDependencies {
  readonly storage: EntitiesStorage
  readonly protocols: Pick<ProtocolStore, 'insert'>
  readonly edges: Pick<EdgeStore, 'insert' | 'remove' | 'closing'>
  readonly relationshipRules: Pick<RelationshipRules, 'isAcyclic'>
  readonly projections: readonly Projection[]
  /** Called once a round with changes is on disk. */
  readonly written: () => void
  readonly now: () => number
}

const maxTries = 8

interface PreparedTask {
  readonly task: WriteTask
  readonly prepared: PreparedWrite
}

/**
 * Performs rounds of tasks: reads for all at once, prepares each, writes all together; if that fails, runs each task
 * separately.
 */
export const createRounds = (
  parts: RoundDependencies,
): ((tasks: readonly WriteTask[]) => Promise<readonly TaskOutcome[]>) => {
  const performRound = async (tasks: readonly WriteTask[]): Promise<readonly TaskOutcome[]> => {
    const outcomes = new Map<WriteTask, TaskOutcome>()
    try {
      const ready = await prepareAll(parts, tasks, outcomes)
      const failure = await writeTogether(parts, ready)
      for (const { task, prepared } of ready) {
        if (failure === undefined) outcomes.set(task, { answer: prepared.answer })
        else outcomes.set(task, mayGoAlone(failure.error, ready.length) ? await performAlone(parts, task) : failure)
      }
    } catch (error) {
      return tasks.map(task => outcomes.get(task) ?? { error })
    }
    return tasks.map(task => outcomes.get(task)!)
  }
  return performRound
}

/**
 * Returns whether a task of a failed round is run separately. It is not if the database itself failed: whether such a
 * round was committed may be unknown, and nothing must be done twice.
 */
const mayGoAlone = (error: unknown, size: number): boolean =>
  error instanceof Clash || (size > 1 && !(error instanceof StorageError && error.status === 503))

const performAlone = async (parts: RoundDependencies, task: WriteTask): Promise<TaskOutcome> => {
  for (let tries = 1; tries < maxTries; tries++) {
    const outcomes = new Map<WriteTask, TaskOutcome>()
    const ready = await prepareAll(parts, [task], outcomes)
    const [prepared] = ready
    if (prepared === undefined) return outcomes.get(task)!
    const failure = await writeTogether(parts, ready)
    if (failure === undefined) return { answer: prepared.prepared.answer }
    if (!(failure.error instanceof Clash)) return failure
  }
  return { error: entitiesErrors.entity_contested({ tries: maxTries }) }
}

/** Prepares tasks against the current state, and sets the outcome of those that are then complete. */
const prepareAll = async (
  { storage }: RoundDependencies,
  tasks: readonly WriteTask[],
  outcomes: Map<WriteTask, TaskOutcome>,
): Promise<readonly PreparedTask[]> => {
  const ids = new Set(tasks.flatMap(({ reads }) => reads))
  const keys = tasks.flatMap(({ reply }) => (reply ? [reply.key] : []))
  const [known, replies] = await Promise.all([findEntities(storage.read, [...ids]), findReplies(storage.read, keys)])
  const ready: PreparedTask[] = []
  for (const task of tasks) {
    try {
      const repeated = answerOf(task, replies)
      const prepared = repeated ? { unchanged: repeated } : await task.prepare(known)
      if ('unchanged' in prepared) outcomes.set(task, { answer: prepared.unchanged })
      else ready.push({ task, prepared })
    } catch (error) {
      outcomes.set(task, { error })
    }
  }
  return ready
}

const answerOf = ({ reply }: WriteTask, replies: ReadonlyMap<string, KeptReply>): Answer | undefined => {
  const kept = reply && replies.get(reply.key)
  return kept && repeatedReply(kept, reply)
}

/** Writes the prepared tasks in one transaction; returns the error if it failed. */
const writeTogether = async (
  parts: RoundDependencies,
  ready: readonly PreparedTask[],
): Promise<{ readonly error: unknown } | undefined> => {
  if (ready.length === 0) return undefined
  try {
    const scrub = ready.some(({ prepared }) => prepared.scrub)
    await parts.storage.write(tx => writeTasks(parts, tx, ready), { isolation: 'read committed', scrub })
  } catch (error) {
    return { error }
  }
  parts.written()
  return undefined
}

/** PostgreSQL's advisory lock for rules over other rows: 'rule' in ASCII. */
const ruleLock = 0x72756c65

const writeTasks = async (
  parts: RoundDependencies,
  tx: EntitiesTransaction,
  ready: readonly PreparedTask[],
): Promise<void> => {
  for (const { task, prepared } of ready) {
    if (task.reply && !(await keepReply(tx, task.reply, prepared.answer, parts.now()))) throw new Clash()
  }
  const changes = ready.flatMap(({ prepared }) => prepared.changes)
  const definitions = ready.flatMap(({ prepared }) => prepared.definitions)
  await writeChanges(parts, tx, changes)
  if (definitions.length > 0) await parts.protocols.insert(definitions, changes[0]!.after.updatedAt, tx)
  for (const { prepared } of ready) await prepared.also?.(tx)
  await verifyAll(parts, tx, ready)
}

/**
 * Verifies the rules over other rows. On PostgreSQL a lock until the commit serializes the transactions that do so; on
 * SQLite transactions run one after the other anyway.
 */
const verifyAll = async (
  { storage }: RoundDependencies,
  tx: EntitiesTransaction,
  ready: readonly PreparedTask[],
): Promise<void> => {
  const rules = ready.flatMap(({ prepared }) => prepared.verify ?? [])
  if (rules.length === 0) return
  if (storage.engine === 'postgres') await sql`select pg_advisory_xact_lock(${ruleLock})`.execute(tx)
  for (const verify of rules) await verify(tx)
}

/** Writes changes with all projections. */
export const writeChanges = async (
  { edges, relationshipRules, projections }: Pick<RoundDependencies, 'edges' | 'relationshipRules' | 'projections'>,
  tx: EntitiesTransaction,
  changes: readonly SignedChange[],
): Promise<void> => {
  const written = await saveEntities(
    tx,
    changes.map(({ after }) => after),
  )
  if (written < changes.length) throw new Clash()
  await insertEvents(tx, changes)
  const removed = changes.flatMap(({ removedEdges }) => removedEdges)
  if (removed.length > 0) await edges.remove(removed, tx)
  const added = changes.flatMap(({ addedEdges }) => addedEdges)
  if (added.length > 0) await edges.insert(added, changes[0]!.after.updatedAt, tx)
  for (const projection of projections) await projection.apply(changes, tx)
  const acyclic = changes
    .flatMap(({ before, addedEdges }) => (before ? addedEdges : []))
    .filter(({ relationship }) => relationshipRules.isAcyclic(relationship))
  const closing = acyclic.length > 0 ? await edges.closing(acyclic, tx) : []
  if (closing.length > 0) {
    throw entityInvalid(
      [...new Set(closing.map(({ relationship }) => relationship))].map(relationship =>
        violationOf(
          `/relationships/${relationship}`,
          'relationship_circle',
          `Would close a cycle, which ${relationship} must not.`,
        ),
      ),
    )
  }
}
