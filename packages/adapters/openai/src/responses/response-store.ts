import type { CamelCaseStorage, EarlierMessage, HostLimits } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed, type Selectable } from '@sibyl/plugin/storage'
import { type OpenAiTables, type OpenAiTransaction, responseRowBytes } from '../threads/threads-tables.ts'

export type StoredResponse = Readonly<
  Omit<Selectable<OpenAiTables['openai_responses']>, 'place' | 'createdAt' | 'bytes'>
>

/** Most responses that a conversation is read back over. */
const longestChain = 100

/** Stored responses of `POST /v1/responses`. */
export interface ResponseStore {
  /** Returns a response that its owner may read. */
  find(owner: string, id: string): Promise<StoredResponse | undefined>
  /** Returns the last response of a session, also one that the client did not ask to store. */
  latest(owner: string, session: string): Promise<StoredResponse | undefined>
  /** Returns what was said up to a response, this one included. */
  historyOf(response: StoredResponse): Promise<readonly EarlierMessage[]>
  /** Stores a response at its start; of one that the client does not want stored, only that its session went on. */
  begin(tx: OpenAiTransaction, response: StoredResponse): Promise<void>
  /** Stores the end of a response, unless it is stored or was deleted. Returns the bytes that this adds. */
  end(tx: OpenAiTransaction, response: Pick<StoredResponse, 'owner' | 'id' | 'output' | 'body'>): Promise<number>
  /** Stores the end of a response that was not stored when its turn ended. */
  close(response: StoredResponse, output: string, body: string): Promise<void>
  /** Returns false where there is no such response. */
  delete(owner: string, id: string): Promise<boolean>
}

/** Creates the store of responses. */
export const createResponseStore = (
  { read, write }: CamelCaseStorage<OpenAiTables>,
  limits: Pick<HostLimits, 'countStored'>,
  now: () => number,
): ResponseStore => {
  const select = () =>
    read
      .selectFrom('openai_responses')
      .select(['id', 'owner', 'session', 'previous', 'input', 'output', 'body', 'isStored', 'turn'])
  const find = async (owner: string, id: string): Promise<StoredResponse | undefined> => {
    const row = await select().where('owner', '=', owner).where('id', '=', id).executeTakeFirst()
    return row?.isStored ? row : undefined
  }
  const end: ResponseStore['end'] = async (tx, { owner, id, output, body }) => {
    const [row] = await runFixed(tx, responseOpen, { owner, id })
    if (!row) return 0
    const contents = row.isStored ? { output, body } : { output: '', body: '' }
    const more = Buffer.byteLength(contents.output) + Buffer.byteLength(contents.body) - Buffer.byteLength(row.body)
    await runFixed(tx, responseEnd, { ...contents, id, bytes: Number(row.bytes) + more })
    return more
  }
  return {
    find,
    latest: (owner, session) =>
      select()
        .where(eb => eb.and({ owner, session }))
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst(),
    async historyOf(response) {
      const texts: EarlierMessage[] = []
      let at: StoredResponse | undefined = response
      for (let steps = 0; at && steps < longestChain; steps += 1) {
        texts.unshift({ role: 'user', text: at.input }, { role: 'assistant', text: at.output })
        at = at.previous === null ? undefined : await find(at.owner, at.previous)
      }
      return texts.filter(({ text }) => text.trim() !== '')
    },
    async begin(tx, response) {
      const contents = response.isStored ? {} : { input: '', output: '', body: '' }
      const row = { ...response, ...contents, createdAt: now() }
      const bytes = responseRowBytes + Buffer.byteLength(row.input) + Buffer.byteLength(row.body)
      await runFixed(tx, responseInsert, { ...row, bytes })
      await limits.countStored(tx, [{ did: row.owner, bytes }])
    },
    end,
    close: ({ owner, id }, output, body) =>
      write(async tx => {
        const bytes = await end(tx, { owner, id, output, body })
        await limits.countStored(tx, [{ did: owner, bytes }])
      }),
    async delete(owner, id) {
      const deleted = await write(
        async tx => {
          const row = await tx
            .deleteFrom('openai_responses')
            .where(eb => eb.and({ owner, id }))
            .returning('bytes')
            .executeTakeFirst()
          if (row?.bytes) await limits.countStored(tx, [{ did: owner, bytes: -row.bytes }])
          return row
        },
        { scrub: true },
      )
      return deleted !== undefined
    },
  }
}

type NewResponse = StoredResponse & { readonly createdAt: number; readonly bytes: number }

const responseInsert: FixedStatement<OpenAiTables, NewResponse, unknown> = (tx, value) =>
  tx.insertInto('openai_responses').values({
    id: value('id'),
    owner: value('owner'),
    session: value('session'),
    previous: value('previous'),
    input: value('input'),
    output: value('output'),
    body: value('body'),
    isStored: value('isStored'),
    turn: value('turn'),
    createdAt: value('createdAt'),
    bytes: value('bytes'),
  })

type OpenResponse = Pick<Selectable<OpenAiTables['openai_responses']>, 'body' | 'bytes' | 'isStored'>

const responseOpen: FixedStatement<OpenAiTables, Pick<StoredResponse, 'owner' | 'id'>, OpenResponse> = (tx, value) =>
  tx
    .selectFrom('openai_responses')
    .select(['body', 'bytes', 'isStored'])
    .where(eb => eb.and({ owner: value('owner'), id: value('id') }))
    .where('turn', 'is not', null)

type ResponseEnd = Pick<NewResponse, 'id' | 'output' | 'body' | 'bytes'>

const responseEnd: FixedStatement<OpenAiTables, ResponseEnd, unknown> = (tx, value) =>
  tx
    .updateTable('openai_responses')
    .set({ output: value('output'), body: value('body'), bytes: value('bytes'), turn: null })
    .where('id', '=', value('id'))
