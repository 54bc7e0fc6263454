import type { Storage } from '@sibyl/storage'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'

/** Returns an ended turn. */
export const endedTurn = (owner: string, session_id: string, id: string, at = 1): CoreRow<'core_turns'> => ({
  id,
  owner,
  session_id,
  message_key: id,
  answer_id: '',
  channel: 'chat',
  actor: '{}',
  holder: null,
  origin: null,
  text: 'said',
  status: 'done',
  code: null,
  usage: '{}',
  model: null,
  tools: null,
  request: null,
  checkpoint: null,
  process_id: '',
  admitted: 1,
  heartbeat_at: at,
  reader_seen_at: 0,
  followed_at: 0,
  stop_requested: 0,
  hooks_called: 1,
  hooks_done: null,
  hooks_tries: 0,
  hooks_due_at: 0,
  removed: 0,
  started_at: at,
  ended_at: at,
})

/** Adds a session with ended turns, each with a tool call, a message and an answer. */
export const addSession = (
  storage: Pick<Storage<CoreTables>, 'write'>,
  { owner, id, turns, at = 1, text = 'said' }: { owner: string; id: string; turns: number; at?: number; text?: string },
): Promise<void> =>
  storage.write(async tx => {
    await tx
      .insertInto('core_sessions')
      .values({
        owner,
        id,
        title: '',
        loaded_plugins: '[]',
        approved_tools: '[]',
        first_turn: `${id}-0`,
        running_turn: null,
        bytes: 0,
        created_at: at,
        updated_at: at,
      })
      .execute()
    const numbers = Array.from({ length: turns }, (_, number) => ({ number, turn_id: `${owner}-${id}-${number}` }))
    await tx
      .insertInto('core_turns')
      .values(numbers.map(({ turn_id }) => endedTurn(owner, id, turn_id, at)))
      .execute()
    const call = { tool_call_id: 'c', tool: 'weather', input: '{}', state: 'done', output: null } as const
    await tx
      .insertInto('core_tool_calls')
      .values(numbers.map(({ turn_id }) => ({ idempotency_key: turn_id, turn_id, ...call, created_at: at })))
      .execute()
    const parts = JSON.stringify([{ type: 'text', text }])
    const message = { owner, session_id: id, parts, metadata: '{}', created_at: at }
    await tx
      .insertInto('core_messages')
      .values(
        numbers.flatMap(({ number, turn_id }) =>
          (['user', 'assistant'] as const).map((role, place) => ({
            ...message,
            turn_id,
            id: `${number}-${role}`,
            position: number * 2 + place,
            role,
          })),
        ),
      )
      .execute()
  })
