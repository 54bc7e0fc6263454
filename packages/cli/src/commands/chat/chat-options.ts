import { oracleOptions, parseAbility } from '../../command/common-options.ts'
import { checkedText, type OptionsOf } from '../../command/define-command.ts'

export const chatOptions = {
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
  ability: {
    value: '<ability>',
    repeated: true,
    parse: parseAbility,
    summary: 'an ability that the agent may use for you, repeatable (default: all of yours)',
  },
  trust: oracleOptions.trust,
} as const

export type ChatOptions = OptionsOf<typeof chatOptions>
