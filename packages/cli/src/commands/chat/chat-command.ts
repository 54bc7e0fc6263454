import { defineCommand } from '../../command/define-command.ts'
import { chatOptions } from './chat-options.ts'

const help = `
What is piped in is a conversation, one message a line. Ctrl-C stops a turn, twice leaves;
exit or quit alone on a line of a terminal leaves as well.
On a terminal, what comes into the session meanwhile, such as a reminder, stands above what you type.
Your key is made at the first use and kept in ~/.config/sibyl (SIBYL_HOME moves it).

Examples:
  sibyl chat                                           talk to the oracle on this computer
  sibyl chat --once "What's the weather in Berlin?"    one question, one answer
  sibyl chat --once - < question.txt                   the whole file is the question
  sibyl chat --once "hello" --json | jq -r .type       every event of the turn, one a line
  printf 'hello\\nwhat can you do?\\n' | sibyl chat      two messages in one session
  sibyl chat --url https://oracle.example --session 4f2a
  sibyl chat --ability 'chat/*'                        the agent reads and writes your own data alone

Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 network, 130 interrupted.`

export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with an oracle',
  help,
  options: chatOptions,
  run: async ({ options, io }) => (await import('./chat.ts')).chat(options, io),
})
