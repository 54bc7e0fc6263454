import { z } from 'zod'
import { amountText, parseAmount } from '../amounts.ts'
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
