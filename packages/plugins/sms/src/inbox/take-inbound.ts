import { randomUUID } from 'node:crypto'
import { readSender } from '../numbers/phone-number.ts'
import type { OutboxDependencies } from '../outbox/outbox.ts'
import type { IncomingSms } from '../providers/sms-provider.ts'
import { answerJob } from './define-answering.ts'
import { readKeyword } from './own-words.ts'

export type InboundDependencies = Pick<OutboxDependencies, 'storage' | 'jobs' | 'clock' | 'people' | 'numbers'>

/** Maximum stored length of a message, in characters: ten parts. */
const longestInbound = 1_600

/**
 * Stores incoming messages, each once by the provider's id, and schedules their answers. A keyword that stops or
 * resumes SMS takes effect here. Messages from senders without a phone, such as short codes, are stored but never
 * answered, because two machines could answer each other endlessly.
 *
 * @returns the number of new messages
 */
export const takeInbound = async (
  provider: string,
  messages: readonly IncomingSms[],
  { storage, jobs, clock, people, numbers }: InboundDependencies,
): Promise<number> => {
  let taken = 0
  for (const { providerId, from, text: output } of messages) {
    const phone = readSender(from)
    const text = output.slice(0, longestInbound).toWellFormed().replaceAll('\0', ' ')
    const id = randomUUID()
    const isNew = await storage.write(async tx => {
      const now = clock.now()
      const row = await tx
        .insertInto('sms_inbound')
        .values({
          id,
          provider,
          provider_id: storableId(providerId),
          phone: numbers.seal(phone ?? storableId(from.slice(0, 50)), { table: 'sms_inbound', row: id }),
          did: phone === undefined ? '' : people.didOf(phone),
          text,
          state: phone === undefined ? 'ignored' : 'waiting',
          received_at: now,
        })
        .onConflict(conflict => conflict.columns(['provider', 'provider_id']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) return false
      if (phone === undefined) return true
      await people.meet(phone, now, tx)
      const keyword = readKeyword(text)?.keyword
      const changes =
        keyword === 'stop'
          ? await people.optOut(phone, now, tx)
          : keyword === 'start'
            ? await people.optIn(phone, tx)
            : true
      const isSilent = keyword === 'stop' ? !changes : await people.wantsNothing(phone, tx)
      if (isSilent) await tx.updateTable('sms_inbound').set({ state: 'ignored' }).where('id', '=', id).execute()
      else await jobs.enqueue(answerJob, { id }, { tx })
      return true
    })
    if (isNew) taken += 1
  }
  return taken
}

const storableId = (id: string): string => id.toWellFormed().replaceAll('\0', ' ')
