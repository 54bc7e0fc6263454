import { abilities, oracleOptions } from '../../command/common-options.ts'
import { checkedText, defineCommand, type OptionsOf } from '../../command/define-command.ts'

const chatOptions = {
  once: { value: '<text>', summary: 'send this message, print the answer and exit; - reads it from stdin' },
  json: { summary: 'print every event as one line of JSON' },
  url: oracleOptions.url,
  session: {
    value: '<id>',
    summary: 'continue this session',
    parse: checkedText(text => /^(?!\.+$)[\w.:-]{1,128}$/.test(text), '1 to 128 letters, digits or _ . : -'),
  },
  approve: {
    value: '<answer>',
    choices: ['once', 'session', 'deny'],
    summary: 'answer to approvals (default: ask on a terminal, otherwise deny)',
  },
  ability: { ...abilities, summary: 'an ability that the agent may use for you, repeatable (default: all of yours)' },
  trust: oracleOptions.trust,
} as const

export type ChatOptions = OptionsOf<typeof chatOptions>

const help = `Piped input is a conversation, one message per line. Ctrl-C stops a turn; a second Ctrl-C, exit or quit ends the chat.
On a terminal, new messages of the session, such as reminders, appear above the input line.
The first use creates your key in ~/.config/sibyl (set SIBYL_HOME for another folder).`

export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with an oracle',
  help,
  examples: [
    'sibyl chat                                           chat with the oracle on this computer',
    `sibyl chat --once "What's the weather in Berlin?"    one question, one answer`,
    'sibyl chat --once - < question.txt                   the whole file is the question',
    'sibyl chat --once "hello" --json | jq -r .type       every event of the turn, one per line',
    "printf 'hello\\nwhat can you do?\\n' | sibyl chat      two messages in one session",
    'sibyl chat --url https://oracle.example --session 4f2a',
    "sibyl chat --ability 'chat/*'                        the agent reads and writes only your own data",
  ],
  exits: '0 done, 1 failed, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  options: chatOptions,
  run: async ({ options, io }) => (await import('./chat.ts')).chat(options, io),
})
