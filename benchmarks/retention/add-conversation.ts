import type { Storage } from '@sibyl/storage'

type Row = Record<string, string | number | null>

/** Tables of core, without their types. */
export type OpenTables = Record<'core_sessions' | 'core_turns' | 'core_messages', Row>

export type RowWriter = Pick<Storage<OpenTables>, 'write'>

/** Adds a conversation of ended turns with answers of 400 to 1,600 characters. */
export const addConversation = (
  storage: RowWriter,
  { owner, id, turns, at }: { owner: string; id: string; turns: number; at: number },
): Promise<void> =>
  storage.write(async tx => {
    const numbers = Array.from({ length: turns }, (_, number) => ({ number, turn_id: `${id}-${number}` }))
    const session = {
      owner,
      id,
      title: 'A question',
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: `${id}-0`,
    }
    await tx
      .insertInto('core_sessions')
      .values({ ...session, bytes: 0, created_at: at, updated_at: at })
      .execute()
    const turn = {
      owner,
      session_id: id,
      channel: 'chat',
      actor: '{}',
      text: 'A question about the weather of tomorrow?',
      status: 'done',
      usage: '{}',
      process_id: '',
      admitted: 1,
      heartbeat_at: at,
      reader_seen_at: at,
      followed_at: at,
      stop_requested: 0,
      hooks_called: 1,
      started_at: at,
      ended_at: at,
    }
    await tx
      .insertInto('core_turns')
      .values(numbers.map(({ turn_id }) => ({ ...turn, id: turn_id, message_key: turn_id, answer_id: `${turn_id}-a` })))
      .execute()
    const message = { owner, session_id: id, metadata: '{}', created_at: at }
    const text = 'A text of an answer. '.repeat(20 + ((at / 86_400_000) % 60))
    await tx
      .insertInto('core_messages')
      .values(
        numbers.flatMap(({ number, turn_id }) => [
          { ...message, turn_id, id: turn_id, position: number * 2, role: 'user', parts: JSON.stringify([turn.text]) },
          {
            ...message,
            turn_id,
            id: `${turn_id}-a`,
            position: number * 2 + 1,
            role: 'assistant',
            parts: JSON.stringify([text]),
          },
        ]),
      )
      .execute()
  })
