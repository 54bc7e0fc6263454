import type { Clock } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { NotePhone } from '../customers/create-phones.ts'
import type { PhoneRecords } from '../people/phone-records.ts'
import type { questionTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import type { Answer, Asker, Question, Questions } from './questions.ts'

export interface StoredQuestion {
  readonly id: string
  readonly question: string
  readonly askedAt: number
  readonly answer: EndedAnswer | undefined
}

export type EndedAnswer = Exclude<Answer, { readonly kind: 'refused' }>

/** Creates the store of sealed questions and answers, which expire after `keptMs` milliseconds. */
export const createQuestionStore = (
  storage: UssdStorage,
  vault: Vault,
  clock: Clock,
  note: NotePhone,
  keptMs: number,
) => {
  const place = (column: 'question' | 'answer', id: string) => `ussd_questions.${column}:${id}`
  const phoneHashes = (phoneNumber: string) => vault.lookupHashes(phoneNumber, 'ussd_questions.phone')
  const ownerHashes = ({ phoneNumber, customerId = '' }: Asker) =>
    vault.lookupHashes(`${phoneNumber} ${customerId}`, 'ussd_questions.owner')

  const answerOf = ({ id, outcome, answer }: QuestionRow): EndedAnswer | undefined => {
    if (outcome !== 'answered') return outcome === null ? undefined : { kind: outcome }
    return answer === null ? { kind: 'failed' } : { kind: outcome, text: vault.open(answer, place('answer', id)) }
  }
  const opened = (row: QuestionRow): StoredQuestion => ({
    id: row.id,
    question: vault.open(row.question, place('question', row.id)),
    askedAt: row.asked_at,
    answer: answerOf(row),
  })

  return {
    /** Stores a question; false if the key already has one. */
    async add({ idempotencyKey: id, question, ...asker }: Question): Promise<boolean> {
      const row = {
        id,
        phone_hash: phoneHashes(asker.phoneNumber)[0],
        owner_hash: ownerHashes(asker)[0],
        question: vault.seal(question, place('question', id)),
        answer: null,
        outcome: null,
        asked_at: clock.now(),
        expires_at: clock.now() + keptMs,
      }
      const noteWhose = note(asker.phoneNumber)
      const added = await storage.write(async tx => {
        const inserted = await tx
          .insertInto('ussd_questions')
          .values(row)
          .onConflict(conflict => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted) await noteWhose(tx)
        return inserted
      })
      return added !== undefined
    },
    /** Stores the outcome and deletes earlier ended questions of the same asker. */
    async end(id: string, asker: Asker, result: EndedAnswer): Promise<void> {
      const outcome = result.kind
      const answer = outcome === 'answered' ? vault.seal(result.text, place('answer', id)) : null
      await storage.write(async tx => {
        const ended = await tx
          .updateTable('ussd_questions')
          .set({ outcome, answer })
          .where('id', '=', id)
          .returning('asked_at')
          .executeTakeFirst()
        if (ended) {
          await tx
            .deleteFrom('ussd_questions')
            .where('owner_hash', 'in', ownerHashes(asker))
            .where('id', '!=', id)
            .where('outcome', 'is not', null)
            .where('asked_at', '<=', ended.asked_at)
            .execute()
        }
      })
    },
    async drop(id: string): Promise<void> {
      await storage.write(tx => tx.deleteFrom('ussd_questions').where('id', '=', id).execute())
    },
    /** Returns the asker's newest question that has not expired. */
    async newest(asker: Asker): Promise<StoredQuestion | undefined> {
      const row = await storage.read
        .selectFrom('ussd_questions')
        .selectAll()
        .where('owner_hash', 'in', ownerHashes(asker))
        .where('expires_at', '>', clock.now())
        .orderBy('asked_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && opened(row)
    },
    async ofPhone(phoneNumber: string): Promise<readonly StoredQuestion[]> {
      const rows = await storage.read
        .selectFrom('ussd_questions')
        .selectAll()
        .where('phone_hash', 'in', phoneHashes(phoneNumber))
        .orderBy('asked_at')
        .execute()
      return rows.map(opened)
    },
    eraseOfPhone: (phoneNumber: string) => async (tx: WriteTransaction) => {
      await tx.deleteFrom('ussd_questions').where('phone_hash', 'in', phoneHashes(phoneNumber)).execute()
    },
  }
}

type QuestionRow = RowOf<typeof questionTable>

export const forgetQuestions = async (storage: UssdStorage, clock: Clock, signal: AbortSignal): Promise<void> => {
  const now = clock.now()
  await deleteInParts(storage, {
    table: 'ussd_questions',
    key: ['id'],
    where: eb => eb('expires_at', '<=', now),
    signal,
  })
}

export const questionRecords = (questions: Pick<Questions, 'export' | 'erase'>): PhoneRecords => ({
  name: 'questions',
  async export(phoneNumber) {
    const asked = await questions.export(phoneNumber)
    return asked.map(({ askedAt, ...texts }) => ({ ...texts, askedAt: new Date(askedAt).toISOString() }))
  },
  erase: async phoneNumber => questions.erase(phoneNumber),
})
