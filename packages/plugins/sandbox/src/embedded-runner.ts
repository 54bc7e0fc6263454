import { ToolFailure } from '@sibyl/plugin'
import type { codeRunner, ServiceOf } from '@sibyl/protocol'
import { assertCodeInput } from './code-input.ts'
import type { CodePool } from './code-pool.ts'
import type { CodeOutcome, CodeOutputFile } from './code-run.ts'
import type { ProgramFile } from './program/program-messages.ts'

/** The supported language. */
export const embeddedLanguage = 'javascript'

/** Runs JavaScript in QuickJS, on a separate thread for each program. */
export const createEmbeddedRunner = (pool: CodePool, timeLimitMs: number): ServiceOf<typeof codeRunner> => ({
  languages: () => [embeddedLanguage],
  run: async ({ language, code, files = [], actor, signal }): Promise<CodeOutcome> => {
    if (language !== embeddedLanguage) {
      throw new ToolFailure(
        'The sandbox only runs JavaScript (language: javascript). Rewrite the program in JavaScript.',
      )
    }
    assertCodeInput({ code, files })
    const program = { code, files: files.map(({ name, text }) => ({ name, text })), timeLimitMs }
    const { result, error, output, files: written, durationMs } = await pool.run(program, actor, signal)
    return {
      ok: error === undefined,
      ...(result === undefined ? {} : { result }),
      output,
      ...(error === undefined ? {} : { error }),
      files: written.map(outputFile),
      durationMs,
    }
  },
})

const outputFile = ({ name, content }: ProgramFile): CodeOutputFile => {
  if (typeof content === 'string') return { name, bytes: Buffer.byteLength(content), text: content, encoding: 'utf8' }
  const text = asText(content)
  return text === undefined
    ? { name, bytes: content.byteLength, text: Buffer.from(content).toString('base64'), encoding: 'base64' }
    : { name, bytes: content.byteLength, text, encoding: 'utf8' }
}

const asText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
