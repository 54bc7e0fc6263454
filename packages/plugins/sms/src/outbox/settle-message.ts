import type { DeliveryReport } from '../providers/sms-provider.ts'
import type { MessageState, SmsTransaction } from '../storage/sms-tables.ts'

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
