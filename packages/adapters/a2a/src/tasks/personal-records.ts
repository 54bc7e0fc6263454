import type { CamelCaseStorage, PersonalRecords } from '@sibyl/plugin'
import type { A2aTables } from './task-tables.ts'

/** Exports and erases the tasks of a person. Core exports their sessions. */
export const personalRecords = ({ read, write }: CamelCaseStorage<A2aTables>): PersonalRecords => ({
  async export(did) {
    const tasks = await read
      .selectFrom('a2a_tasks')
      .select(['id', 'context', 'state', 'statusText', 'artifacts', 'updatedAt'])
      .where('owner', '=', did)
      .orderBy('updatedAt')
      .execute()
    if (tasks.length === 0) return undefined
    const messages = await read
      .selectFrom('a2a_messages')
      .select(['task', 'message', 'role', 'parts'])
      .where('owner', '=', did)
      .orderBy('place')
      .execute()
    const receivers = await read
      .selectFrom('a2a_push_targets')
      .select(['task', 'url'])
      .where('owner', '=', did)
      .execute()
    return {
      tasks: tasks.map(({ artifacts, updatedAt, ...task }) => ({
        ...task,
        made: artifacts.map(({ text, file }) => file?.path ?? text),
        updatedAt: new Date(updatedAt).toISOString(),
      })),
      messages: messages.map(({ parts, ...message }) => ({ ...message, texts: parts.map(({ text }) => text) })),
      receivers,
    }
  },
  async erase(did) {
    await write(
      async tx => {
        const targets = tx.selectFrom('a2a_push_targets').select('place').where('owner', '=', did)
        await tx.deleteFrom('a2a_notifications').where('target', 'in', targets).execute()
        for (const table of ['a2a_push_targets', 'a2a_messages', 'a2a_tasks'] as const)
          await tx.deleteFrom(table).where('owner', '=', did).execute()
      },
      { scrub: true },
    )
  },
})
