import { isAbility } from '@sibyl/identity'
import { checkedText, type OptionsOf, wholeNumber } from './define-command.ts'

/** `--json` of a command that prints one object. */
export const jsonOption = { json: { summary: 'print one JSON object to stdout, also on failure' } } as const

export type JsonOptions = OptionsOf<typeof jsonOption>

/** `--url` of every command that connects to an oracle, see `oracleUrl`. */
export const urlOption = {
  url: {
    value: '<url>',
    summary: 'where the oracle is (default: SIBYL_URL, else localhost at the PORT of this project, or 3000)',
  },
} as const

/** Options of every command that connects to an oracle as the user. */
export const oracleOptions = {
  ...urlOption,
  trust: { summary: 'accept a new identity of the oracle at this address' },
} as const

/** `--operator` of the commands that a user and the operator call. */
export const operatorOption = {
  operator: { summary: 'act as the operator, with the operator token of the project or of ORACLE_OPERATOR_TOKEN' },
} as const

/** `--ability` or `--scope`, without its summary. */
export const abilities = {
  value: '<ability>',
  repeated: true,
  parse: checkedText(isAbility, 'an ability such as chat/send, chat/* or *.'),
} as const

/** Parses a TCP port of an oracle. */
export const parsePort = wholeNumber('a number', 1, 65_535)

/** Parses a TCP port to listen on; 0 selects a free one. */
export const parseListenPort = wholeNumber('a number', 0, 65_535)
