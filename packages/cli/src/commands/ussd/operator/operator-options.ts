import { urlOption } from '../../../command/common-options.ts'
import { type OptionsOf, wholeNumber } from '../../../command/define-command.ts'

export const operatorOptions = {
  ...urlOption,
  json: { summary: 'print one JSON object to stdout, also on failure; no questions' },
} as const

export type OperatorOptions = OptionsOf<typeof operatorOptions>

const operator = { value: '<name>', summary: 'your name; recorded (default: your account on this computer)' } as const

export const confirmOptions = { ...operatorOptions, operator } as const

/** Options of every command that is recorded with a reason. */
export const recordedOptions = {
  ...operatorOptions,
  reason: { value: '<text>', summary: 'why; recorded (default: asked for)' },
  operator,
} as const

export type RecordedOptions = OptionsOf<typeof recordedOptions>

export const twoStepOptions = {
  ...recordedOptions,
  yes: { summary: 'confirm at once, without the word, for scripts' },
} as const

export type TwoStepOptions = OptionsOf<typeof twoStepOptions>

export const actionsOptions = {
  ...operatorOptions,
  limit: {
    value: '<count>',
    parse: wholeNumber('a whole number', 1, 200),
    summary: 'how many, 1 to 200 (default: 20)',
  },
} as const

export type ActionsOptions = OptionsOf<typeof actionsOptions>
