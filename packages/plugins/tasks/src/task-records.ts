import type { Host, PersonalRecords } from '@sibyl/plugin'
import type { TaskStore } from './store/task-store.ts'
import { runRecordOf, taskRecordOf } from './task-record.ts'

/** The tasks of people, as `host.people` reads and erases them. */
export const taskRecords = (store: TaskStore, log: Host['log']): PersonalRecords => ({
  async export(did) {
    const kept = await store.exportOf(did)
    if (kept.length === 0) return undefined
    return kept.map(({ task, runs }) => ({ ...taskRecordOf(task), runs: runs.map(run => ({ ...runRecordOf(run) })) }))
  },
  async erase(did) {
    log.info('all tasks of a person were erased', { tasks: await store.erase(did) })
  },
})
