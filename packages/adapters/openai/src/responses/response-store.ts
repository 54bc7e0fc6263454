import type { CamelCaseStorage, EarlierMessage, HostLimits } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed } from '@sibyl/plugin/storage'
import { type OpenAiTables, responseRowBytes } from '../threads/threads-tables.ts'

/** A response as it is stored. */
export interface StoredResponse {
  readonly id: string
  readonly owner: string
  readonly session: string
  readonly previous: string | null
  readonly input: string
  readonly output: string
  /** JSON of the response object. */
  readonly body: string
  /** Whether the client may read it and go on from it. */
  readonly isStored: boolean
}

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
  /** Stores a response; of one that the client does not want stored, only that its session went on. */
  save(response: StoredResponse): Promise<void>
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
      .select(['id', 'owner', 'session', 'previous', 'input', 'output', 'body', 'isStored'])
  const find = async (owner: string, id: string): Promise<StoredResponse | undefined> => {
    const row = await select().where('owner', '=', owner).where('id', '=', id).executeTakeFirst()
    return row?.isStored ? row : undefined
  }
  return {
    find,
    latest: (owner, session) =>
      select()
        .where('owner', '=', owner)
        .where('session', '=', session)
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
    async save(response) {
      const contents = response.isStored ? {} : { input: '', output: '', body: '' }
      const row = { ...response, ...contents, createdAt: now() }
      const { owner: did, input, output, body } = row
      const bytes = responseRowBytes + Buffer.byteLength(input) + Buffer.byteLength(output) + Buffer.byteLength(body)
      await write(async tx => {
        await runFixed(tx, responseInsert, { ...row, bytes })
        await limits.countStored(tx, [{ did, bytes }])
      })
    },
    async delete(owner, id) {
      const deleted = await write(
        async tx => {
          const row = await tx
            .deleteFrom('openai_responses')
            .where('owner', '=', owner)
            .where('id', '=', id)
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
    createdAt: value('createdAt'),
    bytes: value('bytes'),
  })
