import { defineCommand } from '../../command/define-command.ts'
import { chatOptions } from './chat-options.ts'

const help = `
Piped input is a conversation, one message per line. Ctrl-C stops a turn; a second Ctrl-C, exit or quit ends the chat.
On a terminal, new messages of the session, such as reminders, appear above the input line.
The first use creates your key in ~/.config/sibyl (set SIBYL_HOME for another folder).

Examples:
  sibyl chat                                           chat with the oracle on this computer
  sibyl chat --once "What's the weather in Berlin?"    one question, one answer
  sibyl chat --once - < question.txt                   the whole file is the question
  sibyl chat --once "hello" --json | jq -r .type       every event of the turn, one per line
  printf 'hello\\nwhat can you do?\\n' | sibyl chat      two messages in one session
  sibyl chat --url https://oracle.example --session 4f2a
  sibyl chat --ability 'chat/*'                        the agent reads and writes only your own data

Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with an oracle',
  help,
  options: chatOptions,
  run: async ({ options, io }) => (await import('./chat.ts')).chat(options, io),
})
