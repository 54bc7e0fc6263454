import type { TurnEvent } from '@sibyl/plugin/host'
import { wireState } from '../wire/task-state.ts'
import { answerRecord, artifactRecord, statusRecord, type TaskRecord } from './task-record.ts'
import type { OpenTask, TaskService } from './task-service.ts'

/**
 * Streams a task: its record, the answer in pieces while its turn runs, and at the end the files and the status. An empty piece with
 * `lastChunk` ends the answer, so that no piece waits for the next one.
 */
export async function* taskEvents(
  { task, events }: OpenTask,
  record: TaskRecord,
  { ended, address }: { readonly ended: TaskService['ended']; readonly address: string },
): AsyncGenerator<object> {
  yield { task: record }
  if (task.state !== 'working') return
  const ids = { taskId: task.id, contextId: task.context }
  let sent = 0
  const chunk = (text: string, lastChunk: boolean) => {
    const update = { ...ids, artifact: answerRecord(task.turn, text), append: sent > 0, lastChunk }
    sent += 1
    return { artifactUpdate: update }
  }
  for await (const { event } of events ?? none()) {
    const text = textOf(event, sent > 0)
    if (text !== '') yield chunk(text, false)
    if (event.type !== 'tool-input-available') continue
    const { toolName: tool, toolCallId } = event
    const status = { state: wireState('working'), timestamp: statusRecord(task).timestamp }
    yield { statusUpdate: { ...ids, status, metadata: { sibyl: { tool, toolCallId } } } }
  }
  if (sent > 0) yield chunk('', true)
  const done = await ended(task)
  for (const made of done.artifacts) {
    if (!made.file || made.turn !== task.turn) continue
    yield { artifactUpdate: { ...ids, artifact: artifactRecord(made, address), append: false, lastChunk: true } }
  }
  yield { statusUpdate: { ...ids, status: statusRecord(done) } }
}

/** Returns the text of an event; texts of different steps are paragraphs of their own. */
const textOf = (event: TurnEvent['event'], hasText: boolean): string => {
  if (event.type === 'text-start' && hasText) return '\n\n'
  return event.type === 'text-delta' ? event.delta : ''
}

async function* none(): AsyncGenerator<never> {}
