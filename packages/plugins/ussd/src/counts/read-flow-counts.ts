import { utcDay } from '@sibyl/plugin'
import { deleteInParts, sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { type FlowEvent, flowEvents } from './flow-counts.ts'

/** Days for which counts are kept. */
export const keptDays = 90

/** Days of a range, as `2026-11-28`, both inclusive. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

export type CountsOf<Key extends string> = { readonly [Name in Key]: string } & Readonly<Record<FlowEvent, number>>

export const readFlowCounts = async (
  { read }: Pick<UssdStorage, 'read'>,
  { from, to }: DayRange,
): Promise<{ readonly screens: readonly CountsOf<'screen'>[]; readonly days: readonly CountsOf<'day'>[] }> => {
  const sums = sql.join(flowEvents.map(event => sql`sum(${sql.ref(event)}) as ${sql.ref(event)}`))
  const by = async <Key extends 'screen' | 'day'>(key: Key): Promise<CountsOf<Key>[]> => {
    const { rows } = await sql<CountsOf<Key>>`
      select ${sql.ref(key)}, ${sums} from ussd_flow_counts where day >= ${from} and day <= ${to}
      group by ${sql.ref(key)} order by ${sql.ref(key)}`.execute(read)
    return rows.map(row => ({ ...row, ...Object.fromEntries(flowEvents.map(event => [event, Number(row[event])])) }))
  }
  const [screens, days] = await Promise.all([by('screen'), by('day')])
  return { screens, days }
}

/** Deletes counts that are older than `keptDays`. */
export const forgetFlowCounts = async (storage: UssdStorage, now: number, signal: AbortSignal): Promise<void> => {
  const oldest = utcDay(now - keptDays * 86_400_000)
  await deleteInParts(storage, {
    table: 'ussd_flow_counts',
    key: ['day', 'screen'],
    where: of => of('day', '<', oldest),
    signal,
  })
}
