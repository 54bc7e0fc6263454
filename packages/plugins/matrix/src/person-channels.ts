import type { PersonChannels } from '@sibyl/plugin'
import type { MatrixHost } from './store/matrix-tables.ts'

/** Creates the Matrix users of people for the operator. */
export const personChannels = ({ storage, identity }: Pick<MatrixHost, 'storage' | 'identity'>): PersonChannels => ({
  async of(dids) {
    const rows = await storage.read.selectFrom('matrix_people').selectAll().where('did', 'in', dids).execute()
    return new Map(rows.map(({ did, user_id }) => [did, [maskUser(user_id)]]))
  },
  async find(address) {
    if (identity.did === undefined || !/^@[^:\s]+:\S+$/.test(address)) return []
    const did = identity.pairwiseDid('matrix', address)
    const row = await storage.read.selectFrom('matrix_people').select('did').where('did', '=', did).executeTakeFirst()
    return row ? [did] : []
  },
})

/** Masks a Matrix user: `@an•••:example.org`. */
const maskUser = (userId: string): string => userId.replace(/^(@[^:]{0,2})[^:]*/u, '$1•••')
