import { eachRow, isoTime, type PersonalRecords, unlessNone } from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import type { Selectable } from '@sibyl/plugin/storage'
import type { TaskStore } from './task-store.ts'
import type { A2aTables } from './task-tables.ts'

/** Rows that are read at once: each may have megabytes. */
const perPage = 10

/** Exports and erases the tasks of a person. Core exports their sessions. */
export const personalRecords = (
  { read }: CamelCaseStorage<A2aTables>,
  { forgetPerson }: Pick<TaskStore, 'forgetPerson'>,
): PersonalRecords => ({
  async export(did) {
    const made = await unlessNone(
      eachRow<
        Pick<Selectable<A2aTables['a2a_tasks']>, 'id' | 'context' | 'state' | 'statusText' | 'artifacts' | 'updatedAt'>
      >(last =>
        read
          .selectFrom('a2a_tasks')
          .select(['id', 'context', 'state', 'statusText', 'artifacts', 'updatedAt'])
          .where('owner', '=', did)
          .where(eb => eb(eb.refTuple('updatedAt', 'id'), '>', eb.tuple(last?.updatedAt ?? 0, last?.id ?? '')))
          .orderBy('updatedAt')
          .orderBy('id')
          .limit(perPage)
          .execute(),
      ),
      ({ artifacts, updatedAt, ...task }) => ({
        ...task,
        made: artifacts.map(({ text, file }) => file?.path ?? text ?? null),
        updatedAt: isoTime(updatedAt),
      }),
    )
    if (!made) return undefined
    const written = await unlessNone(
      eachRow<Pick<Selectable<A2aTables['a2a_messages']>, 'place' | 'task' | 'message' | 'role' | 'parts'>>(last =>
        read
          .selectFrom('a2a_messages')
          .select(['place', 'task', 'message', 'role', 'parts'])
          .where('owner', '=', did)
          .where('place', '>', last?.place ?? 0)
          .orderBy('place')
          .limit(perPage)
          .execute(),
      ),
      ({ parts, place: _place, ...message }) => ({ ...message, texts: parts.map(({ text }) => text ?? null) }),
    )
    const receivers = await read
      .selectFrom('a2a_push_targets')
      .select(['task', 'url'])
      .where('owner', '=', did)
      .execute()
    return { tasks: made, messages: written ?? [], receivers }
  },
  erase: forgetPerson,
})
