import { readFile, stat } from 'node:fs/promises'
import { BootError, isBootError } from '@sibyl/plugin'
import { z } from 'zod'
import { amountText, parseAmount } from '../definitions/amounts.ts'
import type { ModelPrice } from './price-list.ts'

const price = z
  .unknown()
  .superRefine((given, context) => {
    if (typeof given === 'number') {
      context.addIssue({ code: 'custom', message: 'is a number: write it in quotes, as "0.5"', continue: false })
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

/** The most models or tools that a file may price. */
const mostEntries = 1_000

const listOf = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().min(1).max(200), value)
    .refine(entries => Object.keys(entries).length <= mostEntries, `must have at most ${mostEntries} entries`)

/** A file of prices: amounts of credits as texts, with at most 6 decimals. */
export const priceFileSchema = z.strictObject({
  turn: price.optional(),
  hold: price.optional(),
  models: listOf(modelSchema).optional(),
  tools: listOf(price).optional(),
})

/** What it says. */
export type PriceFile = z.output<typeof priceFileSchema>

/** The largest file, in bytes. */
const maxBytes = 1_000_000

/**
 * Reads the file of prices.
 *
 * @param file its path, as the operator gave it
 * @throws BootError `price_file_invalid` with all that is wrong, each with its place in the file and the remedy
 */
export const readPriceFile = async (file: string): Promise<PriceFile> => {
  const given = parse(file, await readText(file))
  const read = priceFileSchema.safeParse(given)
  if (read.success) return read.data
  throw fileFault(
    file,
    read.error.issues.slice(0, 20).map(issue => {
      const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 3) : [])]
      return `${path.length > 0 ? path.map(String).join('.').slice(0, 200) : 'The whole'}: ${wordsOf(issue)}`
    }),
  )
}

const wordsOf = (issue: { readonly code?: string | undefined; readonly message: string }): string =>
  issue.code === 'unrecognized_keys'
    ? 'there is no such member; there are turn, hold, models and tools.'
    : issue.message

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'That file does not exist.',
  EACCES: 'It may not be read.',
  EISDIR: 'It is a folder.',
}

const readText = async (file: string): Promise<string> => {
  try {
    const { size } = await stat(file)
    if (size > maxBytes) throw fileFault(file, [`It has ${size} bytes, at most ${maxBytes}.`])
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    if (isBootError(error)) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw fileFault(file, [reasons[code] ?? `It cannot be read (${code}).`])
  }
}

const parse = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const before = position === undefined ? undefined : text.slice(0, Number(position)).split('\n')
    const place = before ? ` from line ${before.length}, column ${before.at(-1)!.length + 1}` : ''
    throw fileFault(file, [`It is not JSON${place}.`])
  }
}

const fileFault = (file: string, faults: readonly string[]): BootError =>
  new BootError([
    {
      code: 'price_file_invalid',
      headline: `The prices in ${file} cannot be used`,
      lines: [...faults, `Mend ${file}, or leave CREDITS_PRICE_FILE blank.`],
      plugin: 'credits',
      variable: 'CREDITS_PRICE_FILE',
    },
  ])
