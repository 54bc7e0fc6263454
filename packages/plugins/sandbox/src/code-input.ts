import { ToolFailure } from '@sibyl/plugin'
import type { CodeFile, CodeRequest } from '@sibyl/protocol'
import { isFileName } from './program/program-files.ts'

/** What may be handed to a program. */
export const codeLimits = {
  /** Of its source, in characters. */
  code: 100_000,
  /** How many files. */
  files: 20,
  /** Of the files in all, in bytes of UTF-8. */
  fileBytes: 1_000_000,
} as const

/**
 * Checks what a program is handed.
 *
 * @throws ToolFailure that says what is wrong.
 */
export const assertCodeInput = ({ code, files = [] }: Pick<CodeRequest, 'code' | 'files'>): void => {
  if (code.trim() === '') throw new ToolFailure('There is no code to run.')
  if (code.includes('\0')) throw new ToolFailure('The code has the character NUL.')
  if (code.length > codeLimits.code) throw new ToolFailure(`The code may have at most ${codeLimits.code} characters.`)
  if (files.length > codeLimits.files) throw new ToolFailure(`A program gets at most ${codeLimits.files} files.`)
  const wrong = files.find(({ name }) => !isFileName(name))
  if (wrong)
    throw new ToolFailure(
      'A file name is a relative path of letters, digits and _ - . + @ ( ), at most 120 characters.',
    )
  const twice = files.find(({ name }, index) => files.findIndex(file => file.name === name) !== index)
  if (twice) throw new ToolFailure(`Two files have the name '${twice.name}'.`)
  if (sizeOf(files) > codeLimits.fileBytes) throw new ToolFailure('The files may have at most 1 MB in all.')
}

const sizeOf = (files: readonly CodeFile[]): number => files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
