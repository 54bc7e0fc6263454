import { defineTool, personalAbility, ToolFailure, untrustedContent } from '@sibyl/plugin'
import type { CountedActor, codeRunner, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { codeLimits } from './code-input.ts'
import type { CodeOutcome } from './code-run.ts'
import type { KeptOutputs, NewOutput } from './outputs/kept-outputs.ts'
import { maxFileName } from './program/program-files.ts'

/** Maximum length of a text for the model at once, in characters. */
const shownLimits = { result: 8_000, output: 8_000, error: 4_000, file: 2_000 } as const

const content = z.object({ source: z.string(), notice: z.string(), text: z.string() })
const more = z
  .object({ id: z.string(), characters: z.number().describe('length of the complete text') })
  .optional()
  .describe('truncated: read_output reads the rest')

const output = z.object({
  ok: z.boolean(),
  result: content.optional().describe('the value of the last expression'),
  moreResult: more,
  output: content.optional().describe('printed output'),
  moreOutput: more,
  error: content.optional(),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      base64: z.literal(true).optional(),
      content: content.optional(),
      more,
    }),
  ),
  notKept: z
    .literal(true)
    .optional()
    .describe('the truncated rest is unavailable, because the storage for outputs is full'),
  durationMs: z.number(),
})

export interface RunCodeOptions {
  readonly runner: ServiceOf<typeof codeRunner>
  readonly outputs: KeptOutputs
  readonly description: string
  readonly language: z.ZodType<string>
  readonly timeLimitSeconds: number
}

export const runCodeTool = ({ runner, outputs, description, language, timeLimitSeconds }: RunCodeOptions) =>
  defineTool({
    description,
    effect: 'read',
    timeLimitSeconds,
    describe: ({ language }) => `Run this ${language} program`,
    input: z.object({
      language,
      code: z.string().min(1).max(codeLimits.code),
      files: z
        .array(z.object({ name: z.string().min(1).max(maxFileName), text: z.string().max(codeLimits.fileBytes) }))
        .max(codeLimits.files)
        .optional(),
    }),
    output,
    execute: async ({ language, code, files = [] }, { turn, signal }) => {
      const outcome = await runner.run({ language, code, files, actor: turn.actor, signal })
      return present(outcome, outputs, turn.actor)
    },
  })

/** Returns a text for the model: its beginning, and a reference to the complete text if it is longer. */
const present = async (
  outcome: CodeOutcome,
  outputs: KeptOutputs,
  owner: CountedActor,
): Promise<z.input<typeof output>> => {
  const { ok, result, output, error, files, durationMs } = outcome
  const long: NewOutput[] = []
  if (result !== undefined && result.length > shownLimits.result) long.push({ name: 'result', text: result })
  if (output.length > shownLimits.output) long.push({ name: 'output', text: output })
  const longFiles = files.filter(({ text, encoding }) => encoding === 'base64' || text.length > shownLimits.file)
  long.push(...longFiles.map(({ name, text }) => ({ name: `file ${name}`, text })))
  const ids = await outputs.keep(owner, long)
  const moreOf = (name: string) => {
    const index = long.findIndex(one => one.name === name)
    const id = ids[index]
    return id === undefined ? undefined : { id, characters: long[index]!.text.length }
  }
  return {
    ok,
    ...(result === undefined ? {} : { result: untrustedContent('result', result.slice(0, shownLimits.result)) }),
    moreResult: moreOf('result'),
    ...(output === '' ? {} : { output: untrustedContent('output', output.slice(0, shownLimits.output).trimEnd()) }),
    moreOutput: moreOf('output'),
    ...(error === undefined ? {} : { error: untrustedContent('error', error.slice(0, shownLimits.error)) }),
    files: files.map(({ name, bytes, text, encoding }) => ({
      name,
      bytes,
      ...(encoding === 'base64'
        ? { base64: true as const }
        : { content: untrustedContent(name, text.slice(0, shownLimits.file)) }),
      more: moreOf(`file ${name}`),
    })),
    ...(ids.length < long.length ? { notKept: true as const } : {}),
    durationMs,
  }
}

/** Number of characters that one call reads. */
const pageCharacters = 8_000

export const readOutputTool = (outputs: KeptOutputs) =>
  defineTool({
    description: 'Continues a long result, output or file of run_code, 8,000 characters at a time; kept for a day.',
    effect: 'read',
    ability: ['sandbox/read', personalAbility],
    input: z.object({ id: z.string().min(1).max(100), offset: z.int().min(0).default(0) }),
    output: z.object({
      name: z.string(),
      characters: z.number().describe('length of the complete text'),
      content: z.object({ source: z.string(), notice: z.string(), text: z.string() }),
      next: z.number().optional().describe('offset of the next part'),
    }),
    execute: async ({ id, offset }, { turn }) => {
      const kept = await outputs.find(turn.actor.did, id)
      if (!kept)
        throw new ToolFailure('The output is unknown or expired; outputs are kept for a day. Run the code again.')
      const { name, text } = kept
      const end = pageEnd(text, offset)
      return {
        name,
        characters: text.length,
        content: untrustedContent(name, text.slice(offset, end)),
        ...(end < text.length ? { next: end } : {}),
      }
    },
  })

/** Returns the end of a page, not inside a surrogate pair. */
const pageEnd = (text: string, offset: number): number => {
  const end = Math.min(text.length, offset + pageCharacters)
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
