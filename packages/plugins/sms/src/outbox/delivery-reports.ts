import type { Clock } from '@sibyl/plugin'
import type { MessageState, SmsStorage, SmsTables, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { DeliveryReport } from '../providers/sms-provider.ts'

export interface ReportParts {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly numbers: SealedNumbers
}

/** How far the clocks of two processes are apart at most, in milliseconds. */
const skewMs = 60_000

/** Takes reports in. One of a message that is not known by its id yet is kept until it is. */
export const takeReports = async (
  reports: readonly DeliveryReport[],
  { storage, clock, numbers }: ReportParts,
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

/** Applies a report that came before the message was known by the provider's id. */
export const applyEarly = async (id: string, providerId: string, now: number, tx: SmsTransaction): Promise<void> => {
  const early = await tx
    .deleteFrom('sms_early_reports')
    .where('provider_id', '=', providerId)
    .returningAll()
    .executeTakeFirst()
  if (early) await settleMessage(id, reportIn(early), { now, keepsTexts: false }, tx)
}

/**
 * Settles the message to a phone whose answer was lost by a report that fits no other: only where there is one such message
 * and all such reports go by one id, so that nothing is taken for something else; nor is one from before the clock was turned
 * back.
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
    // As an expression, since SQLite would rather walk through all messages without an id than through those of the phone.
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

const reportIn = (row: SmsTables['sms_early_reports']): DeliveryReport => ({
  providerId: row.provider_id,
  status: row.status,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.cost === null ? {} : { cost: row.cost }),
})

/** States from which each word of a provider leads on: what is over stays as it ended. */
const leadsOnFrom: Readonly<Record<DeliveryReport['status'], readonly MessageState[]>> = {
  sent: ['sending', 'unknown'],
  delivered: ['sending', 'unknown', 'sent'],
  failed: ['sending', 'unknown', 'sent'],
}

/** Takes what a provider says of a message into its row: texts that are secret go with it. */
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

/** Takes the text out of a message that is secret. */
export const blotSecret = async (id: string, tx: SmsTransaction): Promise<void> => {
  await tx.updateTable('sms_messages').set({ text: '' }).where('id', '=', id).where('sensitive', '=', true).execute()
}
