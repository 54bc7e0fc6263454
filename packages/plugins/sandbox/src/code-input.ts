import { ToolFailure } from '@sibyl/plugin'
import type { CodeFile, CodeRequest } from './code-run.ts'
import { isFileName } from './program/program-files.ts'

/** Limits of a program's input. */
export const codeLimits = {
  /** Maximum length of its source, in characters. */
  code: 100_000,
  /** Maximum number of files. */
  files: 20,
  /** Maximum size of all files together, in bytes of UTF-8. */
  fileBytes: 1_000_000,
} as const

/**
 * Checks the input of a program.
 *
 * @throws ToolFailure that names the problem.
 */
export const assertCodeInput = ({ code, files = [] }: Pick<CodeRequest, 'code' | 'files'>): void => {
  if (code.trim() === '') throw new ToolFailure('The code is empty. Write a program.')
  if (code.includes('\0')) throw new ToolFailure('The code contains the character NUL. Remove it.')
  if (code.length > codeLimits.code)
    throw new ToolFailure(`The code is too long: the maximum is ${codeLimits.code} characters.`)
  if (files.length > codeLimits.files)
    throw new ToolFailure(`There are too many files: the maximum is ${codeLimits.files}.`)
  const wrong = files.find(({ name }) => !isFileName(name))
  if (wrong)
    throw new ToolFailure(
      'The name of a file is invalid. Use a relative path of letters, digits and _ - . + @ ( ), at most 120 characters.',
    )
  const twice = files.find(({ name }, index) => files.findIndex(file => file.name === name) !== index)
  if (twice) throw new ToolFailure(`Two files have the name '${twice.name}'. Rename one.`)
  if (sizeOf(files) > codeLimits.fileBytes)
    throw new ToolFailure('The files are too large: the maximum is 1 MB in total.')
}

const sizeOf = (files: readonly CodeFile[]): number => files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
