import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Matrix',
  summary: 'Answers people in Matrix rooms, and writes to rooms.',
  whenToUse: ['someone wants something said in a Matrix room, or asks which rooms there are'],
  whenNotToUse: ['a phone is to get a text message: that is sms'],
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
      answer: 'It goes to {room}.',
    },
    {
      user: ['Which Matrix rooms are there?', 'List the Matrix rooms', 'Which rooms can you write to?'],
      tool: 'list_matrix_rooms',
      args: {},
      answer: '{rooms.text}',
    },
  ],
}
