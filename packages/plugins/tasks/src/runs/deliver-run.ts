import { type Host, isToolFailure } from '@sibyl/plugin'
import type { personNotices, ServiceOf } from '@sibyl/protocol'
import type { RunStore, RunStoreDependencies } from '../store/run-store.ts'
import { actorOf, type Delivery, type NoticeChannel, type Task, type TaskRun } from '../store/task.ts'
import { clip } from './word-run.ts'

/** Channels for notices, as far as their plugins are enabled. */
export interface NoticeServices {
  readonly sms: ServiceOf<typeof personNotices.sms> | undefined
  readonly matrix: ServiceOf<typeof personNotices.matrix> | undefined
}

/** Maximum length of a notice by channel, in characters: an SMS of three parts, a message in a room. */
const maxNotice: Readonly<Record<NoticeChannel['channel'], number>> = { sms: 459, matrix: 8_000 }

export interface DeliverDependencies {
  readonly turns: Host['turns']
  readonly grants: Host['grants']
  readonly notices: NoticeServices
  readonly runs: RunStore
  readonly log: Host['log']
}

/**
 * Creates the function that writes a run's message into the session of its task, once, as a part of a transaction. It
 * returns false if a turn is running there.
 */
export const postRun =
  (turns: Host['turns']): RunStoreDependencies['say'] =>
  (tx, task, run) =>
    turns.postWithin(tx, postOf(task, run))

const postOf = (task: Task, { id, message = '' }: TaskRun) => ({
  did: task.owner,
  session: task.session,
  text: message,
  dedupeKey: `tasks/${id}`,
})

/**
 * Reports a run to the user: in the session, and on the requested channels. Each gets the message once, however often
 * this is called. If a channel rejects it permanently, the run stores the reason. Nothing is sent outside the session
 * once the right of the task has ended.
 */
export const deliverRun = async (parts: DeliverDependencies, task: Task, run: TaskRun): Promise<void> => {
  const { turns, grants, runs } = parts
  if (run.message === undefined || run.told) return
  await turns.post(postOf(task, run))
  const deliveries: Delivery[] = []
  for (const channel of task.deliver) {
    const verdict = await grants.check(actorOf(task))
    const { channel: name, shown } = channel
    if (verdict.holds) deliveries.push(await send(parts, task, run, channel, run.message))
    else deliveries.push({ channel: name, shown, fault: verdict.refusal.detail })
  }
  await runs.told(run, deliveries)
}

const send = async (
  { notices, log }: DeliverDependencies,
  task: Task,
  run: TaskRun,
  { channel, to, shown }: NoticeChannel,
  message: string,
): Promise<Delivery> => {
  const service = notices[channel]
  if (!service) return { channel, shown, fault: 'This channel is no longer configured.' }
  try {
    const text = clip(message, maxNotice[channel])
    await service.send({
      did: task.owner,
      actor: actorOf(task),
      to,
      text,
      idempotencyKey: `tasks/${run.id}/${channel}`,
    })
    return { channel, shown }
  } catch (error) {
    if (!isToolFailure(error)) throw error
    log.warn('a notice of a task was rejected', { task: task.id, channel, code: error.code })
    return { channel, shown, fault: clip(error.message, 300) }
  }
}
