import type { Clock } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'
import type { MessageState, SmsStorage, SmsTables, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { DeliveryReport } from '../providers/sms-provider.ts'

export interface ReportDependencies {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly numbers: SealedNumbers
}

/** Maximum difference between the clocks of two processes, in milliseconds. */
const skewMs = 60_000

/** Applies delivery reports. A report on an unknown message id is stored until the id is known. */
export const takeReports = async (
  reports: readonly DeliveryReport[],
  { storage, clock, numbers }: ReportDependencies,
): Promise<void> => {
  for (const report of reports) {
    await storage.write(async tx => {
      const now = clock.now()
      const known = await tx
        .selectFrom('sms_messages')
        .select('id')
        .where('provider_id', '=', report.providerId)
        .executeTakeFirst()
      if (known) return settleMessage(known.id, report, { now, keepsTexts: false }, tx)
      await keepEarly(report, { now, numbers }, tx)
      if (report.phone !== undefined) await settleLost(report.phone, { now, numbers }, tx)
    })
  }
}

/** Applies a report that arrived before the provider's id of its message was known. */
export const applyEarly = async (id: string, providerId: string, now: number, tx: SmsTransaction): Promise<void> => {
  const early = await tx
    .deleteFrom('sms_early_reports')
    .where('provider_id', '=', providerId)
    .returningAll()
    .executeTakeFirst()
  if (early) await settleMessage(id, reportIn(early), { now, keepsTexts: false }, tx)
}

/**
 * Settles a message whose response was lost, by a report that matches no other message. It requires that the phone has
 * only one such message, that all such reports have one id, and that the report is not from before the clock was turned
 * back, so that no report is assigned to a wrong message.
 */
export const settleLost = async (
  phone: string,
  { now, numbers }: { readonly now: number; readonly numbers: SealedNumbers },
  tx: SmsTransaction,
): Promise<void> => {
  const open = await tx
    .selectFrom('sms_messages')
    .select(['id', 'state', 'sent_at'])
    .where(numbers.isOf(phone))
    .where('state', 'in', ['sending', 'unknown'])
    // As an expression, because SQLite would otherwise scan all messages without an id instead of those of the phone.
    .where(of => of(of.fn.coalesce('provider_id', of.val('')), '=', ''))
    .limit(2)
    .execute()
  const [message] = open
  if (open.length !== 1 || message?.state !== 'unknown') return
  const early = await tx
    .selectFrom('sms_early_reports')
    .selectAll()
    .where(numbers.isOf(phone))
    .where('at', '>=', message.sent_at ?? 0)
    .where('at', '<=', now + skewMs)
    .limit(2)
    .execute()
  const [report] = early
  if (early.length !== 1 || !report) return
  await applyEarly(message.id, report.provider_id, now, tx)
}

const keepEarly = async (
  { providerId, phone, status, reason, cost }: DeliveryReport,
  { now: at, numbers }: { readonly now: number; readonly numbers: SealedNumbers },
  tx: SmsTransaction,
): Promise<void> => {
  const row = { status, reason: reason ?? null, cost: cost ?? null, at }
  const known = await tx
    .selectFrom('sms_early_reports')
    .select('status')
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  if (known && known.status !== 'sent') return
  await tx
    .insertInto('sms_early_reports')
    .values({
      provider_id: providerId,
      phone: numbers.seal(phone ?? '', { table: 'sms_early_reports', row: providerId }),
      phone_hash: numbers.hash(phone ?? ''),
      ...row,
    })
    .onConflict(conflict => conflict.column('provider_id').doUpdateSet(row))
    .execute()
}

const reportIn = (row: Selectable<SmsTables['sms_early_reports']>): DeliveryReport => ({
  providerId: row.provider_id,
  status: row.status,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.cost === null ? {} : { cost: row.cost }),
})

/** States that a delivery report may change; final states stay. */
const leadsOnFrom: Readonly<Record<DeliveryReport['status'], readonly MessageState[]>> = {
  sent: ['sending', 'unknown'],
  delivered: ['sending', 'unknown', 'sent'],
  failed: ['sending', 'unknown', 'sent'],
}

/** Applies a provider's report to the row of a message, and removes secret text from it. */
export const settleMessage = async (
  id: string,
  { status, reason, cost, providerId }: Omit<DeliveryReport, 'providerId'> & { readonly providerId?: string },
  { now, keepsTexts }: { readonly now: number; readonly keepsTexts: boolean },
  tx: SmsTransaction,
): Promise<void> => {
  await tx
    .updateTable('sms_messages')
    .set({ state: status, reason: reason ?? null, settled_at: now })
    .where('id', '=', id)
    .where('state', 'in', [...leadsOnFrom[status]])
    .execute()
  if (cost !== undefined) await tx.updateTable('sms_messages').set({ cost }).where('id', '=', id).execute()
  if (providerId !== undefined)
    await tx
      .updateTable('sms_messages')
      .set({ provider_id: providerId })
      .where('id', '=', id)
      .where('provider_id', 'is', null)
      .where('state', '!=', 'erased')
      .execute()
  if (!keepsTexts) await blotSecret(id, tx)
}

/** Removes the text of a secret message. */
export const blotSecret = async (id: string, tx: SmsTransaction): Promise<void> => {
  await tx.updateTable('sms_messages').set({ text: '' }).where('id', '=', id).where('sensitive', '=', true).execute()
}
