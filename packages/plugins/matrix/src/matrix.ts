import { definePlugin, type PersonChannels, provide } from '@sibyl/plugin'
import { personNotices } from '@sibyl/protocol'
import { matrixErrors } from './client/matrix-errors.ts'
import { connectMatrix } from './connection/connect-matrix.ts'
import { manifest } from './manifest.ts'
import { matrixRetention } from './matrix-retention.ts'
import { matrixTools } from './matrix-tools.ts'
import { operatorOutbox } from './notices/operator-outbox.ts'
import { personalRecords } from './personal-records.ts'
import { matrixEnv } from './store/matrix-env.ts'
import { type MatrixHost, type MatrixTables, matrixMigrations } from './store/matrix-tables.ts'

/**
 * Connects the oracle to Matrix rooms.
 *
 * @example
 * await createOracleApp({ config, plugins: [matrix()] })
 */
export const matrix = () =>
  definePlugin<typeof matrixEnv, MatrixTables>({
    name: 'matrix',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: matrixEnv,
    optIn: ['MATRIX_BASE_URL'],
    migrations: matrixMigrations,
    async setup(host) {
      const { connection, memory, rooms, notices, conversations } = connectMatrix(host)
      host.background('matrix', async signal => {
        if (host.identity.did === undefined) throw matrixErrors.matrix_not_set_up()
        await connection.start(signal, host.env.MATRIX_START_SECONDS * 1_000)
      })
      return {
        tools: matrixTools(rooms, notices, conversations),
        instructions: turn => memory.noteFor(turn),
        services: [provide(personNotices.matrix, notices)],
        retention: matrixRetention(host),
        personalRecords: { ...personalRecords(host), channels: personChannels(host) },
        outboxes: [operatorOutbox(host)],
        state: () => connection.state(),
        reason: () => connection.reason(),
        dispose: () => connection.close(),
      }
    },
  })

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
