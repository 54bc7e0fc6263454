import type { TestActor } from '@sibyl/testing'
import type { StoredSession } from '../frame/ledger.ts'
import type { Fault } from '../frame/run-fault.ts'
import { judgeJournal } from './journal.ts'
import type { NotingClientsResult } from './noting-clients.ts'

/**
 * Compares acknowledged data with stored data and external effects, and reports the figures.
 *
 * @param journal External effects; undefined if the turns have none.
 */
export const judgeRun = async (
  fault: Fault,
  result: NotingClientsResult,
  reader: TestActor,
  journal: string | undefined,
): Promise<void> => {
  const verdict = await result.ledger.compare(async sessionId => {
    const response = await reader.request(`/sessions/${sessionId}`)
    return response.status === 200 ? ((await response.json()) as StoredSession) : undefined
  })
  const effects = journal === undefined ? undefined : judgeJournal(journal, result.finished)
  fault.figure('endings', [...result.endings].map(([ending, times]) => `${ending} ${times}`).join(', '))
  fault.figure('messages acknowledged', verdict.messages)
  fault.figure('answers acknowledged', verdict.answers)
  if (effects) fault.figure('effects', effects.effects)
  fault.atMost('acknowledged messages lost', verdict.lostMessages, 0)
  fault.atMost('acknowledged answers lost', verdict.lostAnswers, 0)
  fault.atMost('messages stored twice', verdict.doubled, 0)
  if (effects) {
    fault.atMost('effects twice', effects.doubled, 0)
    fault.atMost('answers without their effect', effects.missing, 0)
  }
  fault.atMost('messages without an end', result.unended, 0)
  fault.atMost('events out of order', result.outOfOrder, 0)
}
