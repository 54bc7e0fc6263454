import type { AfterMove } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { CredentialsTables } from '../definitions/credentials-tables.ts'

const misplaced = sql<{ id: string }>`
  select credentials.id from credentials_credentials as credentials left join credentials_entries as entries
    on entries.list = credentials.list and entries.place = credentials.place
  where entries.credential_id is null or entries.credential_id <> credentials.id order by credentials.id limit 10`

const unmarked = sql<{ id: string }>`
  select credentials.id from credentials_credentials as credentials left join credentials_marks as marks
    on marks.list = credentials.list and marks.place = credentials.place
      and marks.purpose = case credentials.status when 'revoked' then 'revocation' else 'suspension' end
  where credentials.status <> 'active' and marks.place is null order by credentials.id limit 10`

/** Compares credentials with their places in the status lists. */
export const afterMove: AfterMove<CredentialsTables> = {
  async run({ storage }) {
    const [places, marks] = [await misplaced.execute(storage.read), await unmarked.execute(storage.read)]
    return [
      ...places.rows.map(({ id }) => `The credential ${id} does not have its place in the status list.`),
      ...marks.rows.map(({ id }) => `The credential ${id} is not active, and the status list does not say so.`),
    ]
  },
}
