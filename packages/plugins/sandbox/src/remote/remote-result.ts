import { type McpResult, textOfResult } from '@sibyl/mcp-client'
import type { CodeOutcome, CodeOutputFile } from '@sibyl/protocol'
import { z } from 'zod'
import { isFileName } from '../program/file-name.ts'
import { programLimits } from '../program/program-limits.ts'

const { resultCharacters, outputCharacters, errorCharacters, filesWritten, writtenBytes } = programLimits

const cut = (characters: number) => z.string().transform(text => text.slice(0, characters))

const structured = z.object({
  ok: z.boolean(),
  result: cut(resultCharacters).nullish(),
  output: cut(outputCharacters).nullish(),
  error: cut(errorCharacters).nullish(),
  files: z
    .array(z.object({ name: z.string(), text: z.string(), encoding: z.enum(['utf8', 'base64']).default('utf8') }))
    .nullish(),
  durationMs: z.number().min(0).nullish(),
})

/**
 * Reads what a remote sandbox answered: its structured result, or else its text as what the program printed. Files with names
 * that lead elsewhere or come twice are left out, and what is beyond the caps.
 *
 * @param durationMs What the call took, where the answer does not say.
 */
export const readRemoteResult = (answer: McpResult, durationMs: number): CodeOutcome => {
  const known = structured.safeParse(answer.structured)
  if (!known.success) return readText(answer, durationMs)
  const { ok, result, output, error, files, durationMs: said } = known.data
  const failed = error ?? (ok && !answer.isError ? undefined : 'The program failed.')
  const kept = new Map<string, CodeOutputFile>()
  let bytes = 0
  for (const { name, text, encoding } of files ?? []) {
    const size = encoding === 'base64' ? Math.floor((text.length * 3) / 4) : Buffer.byteLength(text)
    if (!isFileName(name) || kept.has(name) || kept.size === filesWritten || bytes + size > writtenBytes) continue
    bytes += size
    kept.set(name, { name, bytes: size, text, encoding })
  }
  return {
    ok: failed === undefined,
    ...(result === null || result === undefined ? {} : { result }),
    output: output ?? '',
    ...(failed === undefined ? {} : { error: failed }),
    files: [...kept.values()],
    durationMs: said ?? durationMs,
  }
}

const readText = (answer: McpResult, durationMs: number): CodeOutcome => {
  const text = textOfResult(answer)
  if (answer.isError)
    return { ok: false, output: '', error: text.slice(0, errorCharacters) || 'It failed.', files: [], durationMs }
  return { ok: true, output: text.slice(0, outputCharacters), files: [], durationMs }
}
