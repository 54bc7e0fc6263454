import { ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'

/** The longest address that is taken, in characters. */
const maxAddress = 2_000

/** An address as a model or a person writes it. */
export const addressInput = z
  .string()
  .trim()
  .min(1)
  .max(maxAddress)
  .describe("The page's address: https://example.org/page")

/**
 * Reads an address: without a scheme it is taken for https.
 *
 * @throws ToolFailure where it is none
 */
export const readAddress = (text: string): URL => {
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(full))
    throw new ToolFailure('This is not the address of a page. Give one such as https://example.org/page.')
  return new URL(full)
}
