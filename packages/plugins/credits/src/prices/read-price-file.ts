import { readFile, stat } from 'node:fs/promises'
import { BootError, isBootError } from '@sibyl/plugin'
import { z } from 'zod'
import { amountText, parseAmount } from '../definitions/amounts.ts'
import type { ModelPrice } from './price-list.ts'

const price = z
  .unknown()
  .superRefine((given, context) => {
    if (typeof given === 'number') {
      context.addIssue({
        code: 'custom',
        message: 'must be a string: write the number in quotes, as "0.5"',
        continue: false,
      })
    }
  })
  .pipe(amountText)
  .transform(text => parseAmount(text) ?? 0n)

const modelSchema = z
  .strictObject({ inputPerMillion: price, cachedInputPerMillion: price.optional(), outputPerMillion: price })
  .transform(
    ({ inputPerMillion: input, cachedInputPerMillion: cachedInput = input, outputPerMillion: output }): ModelPrice => ({
      input,
      cachedInput,
      output,
    }),
  )

/** Maximum number of models or tools in a file. */
const maxEntries = 1_000

const listOf = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().min(1).max(200), value)
    .refine(entries => Object.keys(entries).length <= maxEntries, `must have at most ${maxEntries} entries`)

/** Schema of a price file: amounts of credits as strings, with at most 6 decimals. */
const priceFileSchema = z.strictObject({
  turn: price.optional(),
  hold: price.optional(),
  models: listOf(modelSchema).optional(),
  tools: listOf(price).optional(),
})

/** Content of a price file. */
export type PriceFile = z.output<typeof priceFileSchema>

/** Maximum size of the file, in bytes. */
const maxBytes = 1_000_000

/**
 * Reads the price file.
 *
 * @param file its path, as the operator wrote it
 * @throws BootError `price_file_invalid` with every problem, its place in the file and the remedy
 */
export const readPriceFile = async (file: string): Promise<PriceFile> => {
  const given = parse(file, await readText(file))
  const read = priceFileSchema.safeParse(given)
  if (read.success) return read.data
  throw fileViolation(
    file,
    read.error.issues.slice(0, 20).map(issue => {
      const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 3) : [])]
      return `${path.length > 0 ? path.map(String).join('.').slice(0, 200) : 'The file'}: ${wordsOf(issue)}`
    }),
  )
}

const wordsOf = (issue: { readonly code?: string | undefined; readonly message: string }): string =>
  issue.code === 'unrecognized_keys' ? 'is unknown. Use turn, hold, models and tools.' : issue.message

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist.',
  EACCES: 'The process may not read the file.',
  EISDIR: 'The path is a folder.',
}

const readText = async (file: string): Promise<string> => {
  try {
    const { size } = await stat(file)
    if (size > maxBytes) throw fileViolation(file, [`The file has ${size} bytes; the maximum is ${maxBytes}.`])
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    if (isBootError(error)) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw fileViolation(file, [reasons[code] ?? `The file cannot be read (${code}).`])
  }
}

const parse = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const before = position === undefined ? undefined : text.slice(0, Number(position)).split('\n')
    const place = before ? ` from line ${before.length}, column ${before.at(-1)!.length + 1}` : ''
    throw fileViolation(file, [`The file is not valid JSON${place}.`])
  }
}

const fileViolation = (file: string, violations: readonly string[]): BootError =>
  new BootError([
    {
      code: 'price_file_invalid',
      headline: `The price file ${file} is invalid`,
      lines: [...violations, `Fix ${file}, or leave CREDITS_PRICE_FILE blank.`],
      plugin: 'credits',
      variable: 'CREDITS_PRICE_FILE',
    },
  ])
