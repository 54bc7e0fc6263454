import { parseEnv } from 'node:util'

/** What the text of an `.env` says, as the oracle reads it; the mark that some editors begin a file with is skipped. */
export const envValues = (text: string): Readonly<Record<string, string>> =>
  parseEnv(text.replace(/^\uFEFF/, '')) as Record<string, string>
