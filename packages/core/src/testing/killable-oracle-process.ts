import { appendFileSync } from 'node:fs'
import { type ScriptedStep, scriptedModel } from '@sibyl/models/testing'
import { defineTool, PersonNeeded, type Tool, type TurnEnd, type TurnRecord } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { z } from 'zod'
import { createOracleApp } from '../create-oracle-app.ts'
import { officePlugin } from './office-plugin.ts'

/**
 * An oracle process for tests to kill. It plays a script, records effects that must not repeat in the journal, prints
 * its URL, and closes at SIGTERM. A tool's part `begun` marks that the effect has happened.
 */
const [databaseUrl = '', mnemonic = '', journal = '', script = '', env = '{}'] = process.argv.slice(2)

const never = new Promise<never>(() => {})

const note = (line: string) => appendFileSync(journal, `${line}\n`)

const append = (more: Partial<Tool>) =>
  defineTool({
    description: 'Writes a line, and then never answers.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    execute: async ({ line }, call) => {
      note(`ran ${line} ${call.idempotencyKey}`)
      call.emit({ name: 'begun', data: line })
      return never
    },
    ...(more as object),
  }) as Tool

const quickly: Tool['execute'] = async (input, call) =>
  note(`ran ${(input as { line: string }).line} ${call.idempotencyKey}`) ?? 'written'

/** Asks once, and writes its line with the answer. */
const questioning = append({
  execute: async (input, call) => {
    const { line } = input as { line: string }
    if (!call.answer) throw new PersonNeeded({ text: 'Really?' })
    note(`ran ${line} ${call.idempotencyKey}`)
    call.emit({ name: 'begun', data: line })
    return never
  },
})

const hang = script.startsWith('hang-after ')
const after = async (turn: TurnRecord, end: TurnEnd) => {
  if (hang) return never
  note(`after ${turn.id} ${end.outcome} ${end.complete}`)
}

const steps: Record<string, ScriptedStep[]> = {
  answer: [['partial answer ', { wait: never }]],
  write: [{ tool: 'append', input: { line: 'one' }, id: 'c1' }],
  'write-and-answer': [
    { tool: 'append_quickly', input: { line: 'one' }, id: 'c1' },
    ['partial answer ', { wait: never }],
  ],
  ask: [{ tool: 'append_asking', input: { line: 'asked' }, id: 'c1' }],
  'ask-and-write': [
    [
      { tool: 'append_asking', input: { line: 'asked' }, id: 'c1' },
      { tool: 'append', input: { line: 'one' }, id: 'c2' },
    ],
  ],
  'ask-twice': [
    [
      { tool: 'append_quickly_asking', input: { line: 'one' }, id: 'c1' },
      { tool: 'append_asking', input: { line: 'two' }, id: 'c2' },
    ],
  ],
  question: [{ tool: 'append_questioning', input: { line: 'asked' }, id: 'c1' }],
  'question-and-write': [
    [
      { tool: 'append_questioning', input: { line: 'asked' }, id: 'c1' },
      { tool: 'append', input: { line: 'one' }, id: 'c2' },
    ],
  ],
  done: ['done'],
  'end-late': [
    ['partial ', { wait: new Promise(resolve => process.once('SIGTERM', () => setTimeout(resolve, 300))) }, 'answer'],
  ],
}

const app = await createOracleApp({
  plugins: [
    officePlugin({
      tools: {
        append: append({}),
        append_quickly: append({ execute: quickly }),
        append_quickly_asking: append({ execute: quickly, approval: 'user' }),
        append_asking: append({ approval: 'user' }),
        append_questioning: questioning,
      },
      turn: { after },
    }),
  ],
  model: scriptedModel(steps[script.replace('hang-after ', '')] ?? []),
  env: { DATABASE_URL: databaseUrl, ORACLE_MNEMONIC: mnemonic, SHUTDOWN_GRACE_SECONDS: '0', ...JSON.parse(env) },
  logger: silentLogger,
})
process.once('SIGTERM', () => void app.close())
const { url } = await app.listen({ port: 0 })
process.stdout.write(`${JSON.stringify({ url, did: app.identity.did })}\n`)
