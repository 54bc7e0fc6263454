import { defineTool, personalAbility, type Tool, type Tools, untrustedContent } from '@sibyl/plugin'
import type { personNotices, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import type { Conversations } from './answers/conversations.ts'
import { maxMessage, shownName, type WritableRooms } from './notices/room-notices.ts'

/** Maximum number of listed rooms, and of named members of each. */
const max = { rooms: 20, members: 5 }

/** Creates the agent's tools. */
export const matrixTools = (
  rooms: WritableRooms,
  notices: ServiceOf<typeof personNotices.matrix>,
  conversations: Conversations,
): Tools => {
  const send = defineTool({
    description: 'Writes to a Matrix room on behalf of the user.',
    input: z.object({
      room: z.string().min(1).max(255).describe('id, alias or name'),
      text: z.string().min(1).max(maxMessage),
    }),
    output: z.object({ room: z.string(), queued: z.boolean() }),
    effect: 'write',
    repeatable: true,
    ability: 'matrix/send',
    approval: ({ room }, turn) =>
      turn.channel === 'matrix' && conversations.isIn(turn.session.id, room) ? 'none' : 'user',
    describe: ({ room }) => `Write to the Matrix room ${room}`,
    async execute({ room, text }, { turn, idempotencyKey }) {
      const { did } = turn.actor
      const { to, shown } = await notices.addressOf({ did, to: room })
      await notices.send({ did, to, text, idempotencyKey })
      return { room: shown, queued: true }
    },
  })
  const list = defineTool({
    description: 'Lists the Matrix rooms to which you may write for this user.',
    input: z.object({}),
    effect: 'read',
    ability: ['matrix/read', personalAbility],
    async execute(_input, { turn }) {
      const found = await rooms.of(turn.actor.did)
      const lines = found.slice(0, max.rooms).map(room => {
        const names = [...room.members].map(([userId, name]) => name ?? userId)
        const more = names.length > max.members ? `, and ${names.length - max.members} more` : ''
        const who = names.slice(0, max.members).join(', ')
        return `- ${shownName(room)} (${room.alias ?? room.roomId}): ${who || 'no other members'}${more}`
      })
      return {
        count: found.length,
        rooms: untrustedContent('matrix', lines.join('\n') || 'There are no rooms to which I may write for you.'),
      }
    },
  })
  return { send_matrix_message: send as Tool, list_matrix_rooms: list as Tool }
}
