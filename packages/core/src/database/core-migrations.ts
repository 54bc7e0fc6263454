import { createTables } from '@sibyl/storage'
import { alertTables } from './alert-tables.ts'
import { authTables, grantTables } from './auth-tables.ts'
import { coreTables, turns } from './core-tables.ts'
import { countEarlierBytes } from './count-earlier-bytes.ts'
import { holds } from './hold-table.ts'
import { countByKind, earlierStoredTables } from './stored-bytes-tables.ts'
import { turnTimingTables } from './turn-timing-tables.ts'

export const coreMigrations = {
  '0100-base': createTables([...coreTables, ...authTables, ...turnTimingTables, ...alertTables]),
  '0101-stored-bytes': createTables(earlierStoredTables, countEarlierBytes),
  '0102-stored-kinds': countByKind,
  '0103-resumed-turns': turns.addColumns('0103-resumed-turns'),
  '0104-grants': createTables(grantTables),
  '0105-holds': holds.create,
}
