import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { nextPosition } from './end-turn.ts'
import { sessionTitle } from './session-title.ts'
import { storable } from './turn-message.ts'

/** Something that the oracle says by itself in a session. */
export interface PostedMessage {
  readonly owner: string
  readonly sessionId: string
  /** Two of one id in one session are one. */
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What came of it: written now or before, or a turn is in the session. */
export type PostResult = 'posted' | { readonly busyWith: string }

/** Adds an assistant message to a session in which no turn runs, and makes the session where there is none. */
export const postMessage = async (tx: Transaction<CoreTables>, message: PostedMessage): Promise<PostResult> => {
  const { owner, sessionId, id, now } = message
  const text = storable(message.text)
  // Writes, so that no turn begins there until this is over.
  const session = await tx
    .insertInto('core_sessions')
    .values({
      owner,
      id: sessionId,
      title: sessionTitle(text),
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: '',
      running_turn: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict => conflict.columns(['owner', 'id']).doUpdateSet({ updated_at: now }))
    .returning('running_turn')
    .executeTakeFirstOrThrow()
  if (session.running_turn !== null) {
    return (await isPosted(tx, message)) ? 'posted' : { busyWith: session.running_turn }
  }
  await tx
    .insertInto('core_messages')
    .values({
      owner,
      session_id: sessionId,
      id,
      position: nextPosition(owner, sessionId),
      role: 'assistant',
      parts: JSON.stringify([{ type: 'text', text, state: 'done' }]),
      metadata: JSON.stringify({ sessionId, outcome: 'done' }),
      turn_id: '',
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return 'posted'
}

const isPosted = async (tx: Transaction<CoreTables>, { owner, sessionId, id }: PostedMessage): Promise<boolean> => {
  const row = await tx
    .selectFrom('core_messages')
    .select('id')
    .where('owner', '=', owner)
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
