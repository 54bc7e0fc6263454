import { oracleOptions, parseAbility } from '../../command/common-options.ts'
import { checkedText, type OptionsOf } from '../../command/define-command.ts'

export const chatOptions = {
  once: { value: '<text>', summary: 'say this, show the answer and leave; - reads it from stdin' },
  json: { summary: 'every event as one line of JSON' },
  url: oracleOptions.url,
  session: {
    value: '<id>',
    summary: 'go on with this session',
    parse: checkedText(text => /^(?!\.+$)[\w.:-]{1,128}$/.test(text), '1 to 128 letters, digits or _ . : -'),
  },
  approve: {
    value: '<answer>',
    choices: ['once', 'session', 'deny'],
    summary: 'answer to tools that ask first (default: ask on a terminal, else deny)',
  },
  ability: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'what the agent may do for you, may be repeated (default: all that you may)',
  },
  trust: oracleOptions.trust,
} as const

export type ChatOptions = OptionsOf<typeof chatOptions>
