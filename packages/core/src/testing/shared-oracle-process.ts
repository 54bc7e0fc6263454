import { appendFileSync } from 'node:fs'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type ScriptedPart, scriptedModel } from '@sibyl/models/testing'
import { defineTool, type Host, type Tool } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { z } from 'zod'
import { createOracleApp } from '../create-oracle-app.ts'
import { officePlugin } from './office-plugin.ts'
import { samplePlugin } from './sample-plugin.ts'
import type { SharedOracleOptions } from './start-shared-oracle.ts'

/**
 * One of several oracle processes on one database, for tests. Its model follows the last message: `count 20 10` sends
 * 20 words, 10 ms apart; `hang` sends one word and no more; `write one`, `write-and-hang one` and `ask one` call a tool
 * that writes the line to the journal; `later one` enqueues a job that notes the length of the answer to `count 80 50`; anything
 * else is echoed.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as SharedOracleOptions

const never = new Promise<never>(() => {})

const hangingPlugin = (_: unknown, index: number) =>
  officePlugin(
    {
      turn: {
        before: ({ text }) => {
          note(`before ${text}`)
          return never
        },
      },
    },
    `hanging-${index}`,
  )

const note = (line: string) => appendFileSync(options.journal, `${line}\n`)

const append = (hangs: boolean, more: Partial<Tool> = {}) =>
  defineTool({
    description: 'Writes a line.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    execute: async ({ line }, call) => {
      note(`ran ${line} ${call.idempotencyKey}`)
      call.emit({ name: 'begun', data: line })
      return hangs ? never : 'written'
    },
    ...(more as object),
  }) as Tool

const lastOrder = (prompt: LanguageModelV4Prompt): { readonly order: string; readonly answered: boolean } => {
  const last = prompt.findLastIndex(message => message.role === 'user')
  const content = prompt[last]?.content
  const parts = Array.isArray(content) ? content : []
  const order = parts.flatMap(part => (part.type === 'text' ? [part.text] : []))[0] ?? ''
  return { order, answered: prompt.slice(last + 1).some(message => message.role === 'tool') }
}

const tools: Readonly<Record<string, string>> = {
  write: 'append',
  'write-and-hang': 'append_hanging',
  ask: 'append_asking',
  later: 'later',
}

const obey = (prompt: LanguageModelV4Prompt): readonly ScriptedPart[] => {
  const { order, answered } = lastOrder(prompt)
  if (answered) return ['done']
  const [verb = '', first = '', second = '0'] = order.split(' ')
  if (verb === 'count') {
    return Array.from({ length: Number(first) }, (_, index) => [
      { wait: new Promise(resolve => setTimeout(resolve, Number(second) * index)) },
      `w${index} `,
    ]).flat()
  }
  if (verb === 'hang') return ['word ', { wait: never }]
  const tool = tools[verb]
  return tool === undefined ? [`you said ${order}`] : [{ tool, input: { line: first } }]
}

const later = samplePlugin('later', {
  manifest: { title: 'Later', summary: 'Later.', whenToUse: ['always'], load: 'always' },
  setup: ({ jobs, turns, identity }: Host) => {
    jobs.define('later/count', z.object({ line: z.string() }), async ({ line }, { attempt }) => {
      const actor = { did: identity.pairwiseDid('test', line), via: 'sms', scopes: ['*'] } as const
      const facts = { channel: 'sms', whenBusy: 'queue', approvals: 'deny', dedupeKey: line } as const
      const turn = await turns.run({ actor, session: 'later', text: 'count 80 50', ...facts })
      if ('refused' in turn) throw new Error(turn.refused.code)
      note(`answered ${line} ${attempt} ${(await turn.finished).text.split(' ').length}`)
    })
    const tool = append(false, {
      execute: async input => {
        await jobs.enqueue('later/count', input)
        return 'enqueued'
      },
    })
    return { tools: { later: tool } }
  },
})

const app = await createOracleApp({
  plugins: [
    later,
    officePlugin({
      tools: {
        append: append(false),
        append_hanging: append(true),
        append_asking: append(false, { approval: 'user' }),
      },
      turn: {
        after: async (turn, end) => {
          if (options.hangsAfter) return never
          note(`after ${turn.text} ${end.outcome}`)
        },
      },
    }),
    ...Array.from({ length: options.hangingBefore ?? 0 }, hangingPlugin),
  ],
  model: scriptedModel(
    Array.from(
      { length: 20_000 },
      () =>
        ({ prompt }) =>
          obey(prompt),
    ),
  ),
  env: {
    DATABASE_URL: options.databaseUrl,
    ORACLE_MNEMONIC: options.mnemonic,
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_DID_PER_MINUTE: '0',
    TOKEN_BUDGET_DID_PER_DAY: '1000000000',
    ...options.env,
  },
  logger: silentLogger,
  clock: { now: () => Date.now() + (options.clockAheadMs ?? 0) },
})
process.once('SIGTERM', () => void app.close())
const { port } = await app.listen({ port: options.port ?? 0 })
process.stdout.write(`${JSON.stringify({ port, did: app.identity.did })}\n`)
