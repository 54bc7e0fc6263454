import { createTables, type Migration, sql } from '@sibyl/storage'
import { alertTables } from './alert-tables.ts'
import { authTables, grantTables } from './auth-tables.ts'
import { coreTables, sessions, turns } from './core-tables.ts'
import { holds } from './hold-table.ts'
import { countByKind, earlierStoredTables, storedTurnBytes } from './stored-bytes-tables.ts'
import { turnTimingTables } from './turn-timing-tables.ts'

/** Counts what conversations of an earlier version store, for their users, holders and networks. */
const countEarlierBytes: Migration = async (db, types) => {
  await sessions.addColumns('0101-stored-bytes')(db, types)
  const ofSession = (table: string, bytes: string) =>
    `coalesce((select sum(${bytes}) from ${table} where owner = core_sessions.owner and session_id = core_sessions.id), 0)`
  const ofTurns = (table: string, bytes: string) =>
    `coalesce((select sum(${bytes}) from core_turns join ${table} on turn_id = core_turns.id
      where owner = core_sessions.owner and session_id = core_sessions.id), 0)`
  const counted = [
    ofSession('core_messages', 'octet_length(parts) + octet_length(metadata)'),
    ofSession('core_turns', `octet_length(text) + ${storedTurnBytes}`),
    ofTurns('core_turn_events', 'octet_length(body)'),
    ofTurns('core_tool_calls', "octet_length(input) + octet_length(coalesce(output, ''))"),
  ]
  await sql`update core_sessions set bytes = ${sql.raw(counted.join(' + '))}`.execute(db)
  await sql`
    insert into core_stored_people (did, holder, origin, bytes)
    select owner, coalesce(holder, owner), origin, bytes from (
      select owner, sum(bytes) as bytes,
        (select holder from core_turns where owner = core_sessions.owner order by started_at desc limit 1) as holder,
        (select origin from core_turns where owner = core_sessions.owner order by started_at desc limit 1) as origin
      from core_sessions group by owner) as people
    where bytes > 0`.execute(db)
  await sql`
    insert into core_stored_sums (name, bytes)
    select 'holder:' || holder, sum(bytes) from core_stored_people group by holder
    union all
    select 'origin:' || origin, sum(bytes) from core_stored_people where origin is not null group by origin
    union all
    select 'all:0', coalesce(sum(bytes), 0) from core_stored_people`.execute(db)
}

export const coreMigrations = {
  '0100-base': createTables([...coreTables, ...authTables, ...turnTimingTables, ...alertTables]),
  '0101-stored-bytes': createTables(earlierStoredTables, countEarlierBytes),
  '0102-stored-kinds': countByKind,
  '0103-resumed-turns': turns.addColumns('0103-resumed-turns'),
  '0104-grants': createTables(grantTables),
  '0105-holds': holds.create,
}
