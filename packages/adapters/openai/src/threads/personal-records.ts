import { eachRow, isoTime, type PersonalRecords, unlessNone } from '@sibyl/plugin'
import type { CamelCaseStorage, HostLimits, RequestRuns } from '@sibyl/plugin/host'
import type { Selectable } from '@sibyl/plugin/storage'
import { forgetPerson } from './thread-retention.ts'
import type { OpenAiTables } from './threads-tables.ts'

/** Responses that are read at once: each may have megabytes. */
const perPage = 10

/** Exports and erases the stored responses of a person. Core exports their sessions. */
export const personalRecords = (
  storage: CamelCaseStorage<OpenAiTables>,
  limits: Pick<HostLimits, 'countStored'>,
  runs: Pick<RequestRuns, 'erase'>,
): PersonalRecords => ({
  async export(did) {
    const { read } = storage
    const rows = eachRow<
      Pick<Selectable<OpenAiTables['openai_responses']>, 'place' | 'id' | 'session' | 'input' | 'output' | 'createdAt'>
    >(last =>
      read
        .selectFrom('openai_responses')
        .select(['place', 'id', 'session', 'input', 'output', 'createdAt'])
        .where('owner', '=', did)
        .where('place', '>', last?.place ?? 0)
        .orderBy('place')
        .limit(perPage)
        .execute(),
    )
    const found = await unlessNone(rows, ({ place: _place, createdAt, ...row }) => ({
      ...row,
      createdAt: isoTime(Number(createdAt)),
    }))
    return found && { responses: found }
  },
  async erase(did) {
    await runs.erase(did)
    await forgetPerson(storage, limits, did)
  },
})
