import { randomBytes } from 'node:crypto'
import { type AlertEventRow, type AlertRow, type AlertTables, alerts } from '@sibyl/core/ports'
import { camelCaseStorage } from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import { deleteInParts, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { AlertEventRecord, AlertRequest } from './alert-records.ts'
import type { AlertVerdict } from './judge-alert.ts'

/** Maximum test notifications in an hour, of all alerts. */
export const maxTests = 5

/** Maximum alerts of an oracle. */
export const maxAlerts = 100
/** The time for which the history is stored, in milliseconds. */
const keepMs = 90 * 86_400_000
/** Age after which a notification is no longer sent, in milliseconds. */
const staleMs = 86_400_000

const fresh = { state: 'ok', since: null, notified: false, notifiedAt: null, value: null, checkedAt: null } as const

/** Stores alerts and their history. */
export class AlertStore {
  readonly #plain: Storage<AlertTables>
  readonly #storage: CamelCaseStorage<AlertTables>
  /** Called in the transaction of a notification. */
  readonly #onNotification: (alert: string, tx: Transaction<AlertTables>) => Promise<void>

  constructor(
    storage: Storage<AlertTables>,
    onNotification: (alert: string, tx: Transaction<AlertTables>) => Promise<void>,
  ) {
    this.#plain = storage
    this.#storage = camelCaseStorage(storage)
    this.#onNotification = onNotification
  }

  /** Returns all alerts, by name. */
  list(): Promise<AlertRow[]> {
    return this.#storage.read.selectFrom('core_alerts').selectAll().orderBy('name').orderBy('id').execute()
  }

  find(id: string): Promise<AlertRow | undefined> {
    return this.#storage.read.selectFrom('core_alerts').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Stores a new alert; undefined if there are too many. */
  async create(id: string, { target, ...rest }: AlertRequest, now: number): Promise<AlertRow | undefined> {
    return await this.#storage.write(async tx => {
      const { count } = await tx
        .selectFrom('core_alerts')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxAlerts) return undefined
      return await tx
        .insertInto('core_alerts')
        .values({ ...alerts.values({ target }), ...rest, ...fresh, id, createdAt: now })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  }

  /** Changes an alert, which is checked from the beginning; undefined if it is unknown. */
  async update(id: string, { target, ...rest }: Omit<AlertRequest, 'target'> & Partial<Pick<AlertRequest, 'target'>>) {
    const changed = target === undefined ? {} : alerts.values({ target })
    return await this.#storage.write(tx =>
      tx
        .updateTable('core_alerts')
        .set({ ...rest, ...changed, ...fresh })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
    )
  }

  /** Deletes an alert with its history; false if it is unknown. */
  async remove(id: string): Promise<boolean> {
    return await this.#storage.write(async tx => {
      // Tests stay, as they count for the limit of an hour.
      await tx.deleteFrom('core_alert_events').where('alert', '=', id).where('kind', '<>', 'test').execute()
      const { numDeletedRows } = await tx.deleteFrom('core_alerts').where('id', '=', id).executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    })
  }

  /** Stores the result of a check, with its event. An alert that was changed meanwhile is left as it is. */
  async checked(alert: AlertRow, value: number | undefined, verdict: AlertVerdict, now: number): Promise<void> {
    const { event, ...state } = verdict
    await this.#storage.write(async tx => {
      const row = await tx
        .updateTable('core_alerts')
        .set({ ...state, value: value ?? null, checkedAt: now })
        .where(eb => eb.and({ id: alert.id, state: alert.state, metric: alert.metric, comparison: alert.comparison }))
        .where(eb => eb.and({ threshold: alert.threshold, minutes: alert.minutes, enabled: true }))
        .returning('id')
        .executeTakeFirst()
      if (!row || !event) return
      await this.#addEvent(tx, alert, { ...event, value, now })
    })
  }

  /** Adds an event that tests the notification; undefined after `maxTests` of all alerts in an hour. */
  async test(alert: AlertRow, now: number): Promise<AlertEventRow | undefined> {
    const value = alert.value ?? undefined
    return await this.#storage.write(async tx => {
      const { count } = await tx
        .selectFrom('core_alert_events')
        .select(of => of.fn.countAll<number>().as('count'))
        .where('kind', '=', 'test')
        .where('at', '>', now - 3_600_000)
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxTests) return undefined
      return this.#addEvent(tx, alert, { kind: 'test', isNotified: true, value, now })
    })
  }

  async #addEvent(
    tx: Transaction<AlertTables>,
    { id, name, metric, comparison, threshold }: AlertRow,
    event: {
      readonly kind: AlertEventRecord['kind']
      readonly isNotified: boolean
      readonly value: number | undefined
      readonly now: number
    },
  ): Promise<AlertEventRow> {
    const row = await tx
      .insertInto('core_alert_events')
      .values({
        id: eventId(event.now),
        alert: id,
        ...{ name, metric, comparison, threshold },
        kind: event.kind,
        value: event.value ?? null,
        at: event.now,
        delivery: event.isNotified ? 'pending' : 'none',
        fault: null,
        sentAt: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (event.isNotified) await this.#onNotification(id, tx)
    return row
  }

  /** Returns events, the latest first. */
  async events(filter: {
    readonly alert?: string | undefined
    readonly after?: string | undefined
    readonly limit: number
  }) {
    const { alert, after, limit } = filter
    return await this.#storage.read
      .selectFrom('core_alert_events')
      .selectAll()
      .$if(alert !== undefined, query => query.where('alert', '=', alert ?? ''))
      .$if(after !== undefined, query => query.where('id', '<', after ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  }

  /** Returns the oldest notification of an alert that is not sent, with its alert. */
  async toSend(alert: string, now: number) {
    const event = await this.#storage.read
      .selectFrom('core_alert_events')
      .selectAll()
      .where('alert', '=', alert)
      .where('delivery', 'in', ['pending', 'failed'])
      .where('at', '>', now - staleMs)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    const found = event && (await this.find(alert))
    return found && event && { alert: found, event }
  }

  /** Stores the result of a delivery. */
  async delivered(id: string, result: Pick<AlertEventRow, 'delivery' | 'fault' | 'sentAt'>): Promise<void> {
    await this.#storage.write(tx => tx.updateTable('core_alert_events').set(result).where('id', '=', id).execute())
  }

  /** Marks the pending notifications of an alert as failed. */
  async givenUp(alert: string, violation: string): Promise<void> {
    await this.#storage.write(tx =>
      tx
        .updateTable('core_alert_events')
        .set({ delivery: 'failed', fault: violation })
        .where(eb => eb.and({ alert, delivery: 'pending' }))
        .execute(),
    )
  }

  /** Deletes old events. */
  async forget(now: number, signal?: AbortSignal): Promise<void> {
    await deleteInParts(this.#plain, {
      table: 'core_alert_events',
      key: ['id'],
      where: eb => eb('at', '<', now - keepMs),
      signal,
    })
  }
}

/** Returns an id that ascends with the time. */
const eventId = (now: number): string => `${now.toString(36).padStart(9, '0')}${randomBytes(8).toString('hex')}`
