import { createHash } from 'node:crypto'
import type { EarlierMessage } from '@sibyl/plugin/host'
import { type CamelCaseStorage, newId } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed, type Selectable } from '@sibyl/plugin/storage'
import type { Conversation } from '../requests/conversation.ts'
import type { OpenAiTables, OpenAiTransaction } from './threads-tables.ts'

export const createThreadStore = ({ read }: Pick<CamelCaseStorage<OpenAiTables>, 'read'>, now: () => number) => ({
  /** Returns the session whose last answer ends this history, or a new one. */
  async find(owner: string, history: readonly EarlierMessage[]): Promise<string> {
    const found =
      history.length === 0 ? undefined : (await runFixed(read, threadByHead, { owner, head: hashOf(history) }))[0]
    return found?.session ?? newSession()
  },
  /** Returns the approvals whose questions the last answer in a session showed. */
  async askedIn(owner: string, session: string): Promise<readonly string[]> {
    const thread = await read
      .selectFrom('openai_threads')
      .select('asked')
      .where(eb => eb.and({ owner, session }))
      .executeTakeFirst()
    return JSON.parse(thread?.asked ?? '[]') as string[]
  },
  /**
   * Stores what a session holds after an answer.
   *
   * @param asked The approvals whose questions the answer shows.
   * @returns the bytes that this adds
   */
  async saveAnswer(
    tx: OpenAiTransaction,
    owner: string,
    session: string,
    { history, text }: Pick<Conversation, 'history' | 'text'>,
    answer: string,
    asked: readonly string[],
  ): Promise<number> {
    const latest = [{ role: 'user', text } as const, { role: 'assistant', text: answer } as const]
    const texts = [...history, ...latest].filter(message => message.text.trim() !== '')
    const thread = {
      owner,
      session,
      head: hashOf(texts),
      asked: asked.length === 0 ? null : JSON.stringify(asked),
      usedAt: now(),
    }
    if ((await runFixed(tx, threadUpdate, thread)).length > 0) return 0
    await runFixed(tx, threadUpsert, { ...thread, bytes: threadBytes })
    return threadBytes
  },
})

/** Finds the session of a conversation by what was said in it, since clients of chat completions name none. */
export type ThreadStore = ReturnType<typeof createThreadStore>

type Thread = Omit<Selectable<OpenAiTables['openai_threads']>, 'bytes'>

const threadByHead: FixedStatement<OpenAiTables, Pick<Thread, 'owner' | 'head'>, Pick<Thread, 'session'>> = (
  db,
  value,
) =>
  db
    .selectFrom('openai_threads')
    .select('session')
    .where(eb => eb.and({ owner: value('owner'), head: value('head') }))
    .orderBy('usedAt', 'desc')
    .limit(1)

/** Bytes of a thread, rounded up: of its row and indexes. */
export const threadBytes = 500

const threadUpdate: FixedStatement<OpenAiTables, Thread, Pick<Thread, 'session'>> = (tx, value) =>
  tx
    .updateTable('openai_threads')
    .set({ head: value('head'), asked: value('asked'), usedAt: value('usedAt') })
    .where(eb => eb.and({ owner: value('owner'), session: value('session') }))
    .returning('session')

const threadUpsert: FixedStatement<OpenAiTables, Thread & { readonly bytes: number }, unknown> = (tx, value) =>
  tx
    .insertInto('openai_threads')
    .values({
      owner: value('owner'),
      session: value('session'),
      head: value('head'),
      asked: value('asked'),
      usedAt: value('usedAt'),
      bytes: value('bytes'),
    })
    .onConflict(conflict =>
      conflict
        .columns(['owner', 'session'])
        .doUpdateSet({ head: value('head'), asked: value('asked'), usedAt: value('usedAt') }),
    )

export const newSession = (): string => newId('openai')

/** Returns the hash of a conversation; white space at the ends of a message does not count, as clients trim it. */
const hashOf = (texts: readonly EarlierMessage[]): string => {
  const hash = createHash('sha256')
  for (const { role, text } of texts) hash.update(JSON.stringify([role, text.trim()]))
  return hash.digest('base64url')
}
