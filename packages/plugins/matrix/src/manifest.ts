import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Matrix',
  summary: 'Answers users in Matrix rooms, and writes to rooms.',
  whenToUse: ['someone wants a message written to a Matrix room, or asks about the rooms'],
  whenNotToUse: ['sending a text message to a phone (sms)'],
  load: 'always',
  tags: ['messaging'],
  examples: [
    {
      user: [
        'Tell the room {room} that {text}',
        'Write to the room {room} that {text}',
        'Tell the Matrix room {room} that {text}',
      ],
      tool: 'send_matrix_message',
      args: { room: '{room}', text: '{text}' },
      answer: 'The message to {room} was queued.',
    },
    {
      user: ['Which Matrix rooms are there?', 'List the Matrix rooms', 'Which rooms can you write to?'],
      tool: 'list_matrix_rooms',
      args: {},
      answer: '{rooms.text}',
    },
  ],
}
