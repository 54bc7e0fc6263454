import type { CamelCaseStorage, PersonalRecords } from '@sibyl/plugin'
import type { OpenAiTables } from './threads-tables.ts'

/** Exports and erases the stored responses of a person. Core exports their sessions. */
export const personalRecords = ({ read, write }: CamelCaseStorage<OpenAiTables>): PersonalRecords => ({
  async export(did) {
    const rows = await read
      .selectFrom('openai_responses')
      .select(['id', 'session', 'input', 'output', 'createdAt'])
      .where('owner', '=', did)
      .orderBy('place')
      .execute()
    const responses = rows.map(({ createdAt, ...row }) => ({
      ...row,
      createdAt: new Date(Number(createdAt)).toISOString(),
    }))
    return responses.length === 0 ? undefined : { responses }
  },
  async erase(did) {
    await write(
      async tx => {
        await tx.deleteFrom('openai_threads').where('owner', '=', did).execute()
        await tx.deleteFrom('openai_responses').where('owner', '=', did).execute()
      },
      { scrub: true },
    )
  },
})
