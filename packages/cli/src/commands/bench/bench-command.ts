import { jsonOption, oracleOptions } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf, wholeNumber } from '../../command/define-command.ts'

const benchOptions = {
  turns: { value: '<count>', parse: wholeNumber('a number', 1, 100_000), summary: 'the turns in all (default: 50)' },
  atOnce: { value: '<count>', parse: wholeNumber('a number', 1, 1_000), summary: 'the turns at once (default: 8)' },
  message: { value: '<text>', summary: 'what each turn asks (default: hello)' },
  ...oracleOptions,
  ...jsonOption,
} as const

export type BenchOptions = OptionsOf<typeof benchOptions>

const help = `Sends chat turns as you, each in a session of its own, and measures how many the oracle ends in a second and how long they
take. The sessions are deleted at the end. With a real model the turns cost tokens. The limits of the oracle count: raise
RATE_LIMIT_PER_MINUTE and RATE_LIMIT_DID_PER_MINUTE for a longer run. Ctrl-C ends it and prints what was measured.`

export const benchCommand = defineCommand({
  name: 'bench',
  summary: 'measure how many turns a running oracle takes, and how fast',
  help,
  examples: [
    'sibyl bench                                50 turns, 8 at once, at the oracle on this computer',
    'sibyl bench --turns 2000 --at-once 32      a longer run',
    'sibyl bench --json | jq .turnsPerSecond    one number, for a script',
  ],
  exits: '0 done, 1 a turn failed, 2 usage, 4 network, 130 interrupted.',
  options: benchOptions,
  run: async ({ options, io }) => (await import('./bench.ts')).bench(options, io),
})
