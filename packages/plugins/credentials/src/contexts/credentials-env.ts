import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isObject } from '../definitions/json-object.ts'
import type { FurtherContexts } from './known-contexts.ts'

const form = /^(https?:\/\/[^\s=,]+|urn:[^\s=,]+)(?:=(\S.*))?$/

const contextsOf = (text: string): FurtherContexts =>
  new Map(
    text
      .split(',')
      .map(entry => entry.trim())
      .filter(entry => entry !== '')
      .map(entry => {
        const [, url, file] = form.exec(entry) ?? []
        if (url === undefined) throw new Error(`'${entry.slice(0, 200)}' is not a URL, or a URL, = and a file`)
        return [url, file === undefined ? undefined : readContext(file)]
      }),
  )

const readContext = (file: string): object => {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`'${file}' cannot be read as JSON`, { cause: error })
  }
  if (isObject(document as never) && Object.hasOwn(document as object, '@context')) return document as object
  throw new Error(`'${file}' is not a JSON-LD context: it has no member @context`)
}

export const credentialsEnv = z.object({
  CREDENTIALS_CONTEXTS: z
    .string()
    .max(20_000)
    .transform((text, context): FurtherContexts => {
      try {
        return contextsOf(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .optional()
    .meta({
      description:
        'Further JSON-LD contexts that verified credentials may use, separated by commas: `url`, or `url=file` with its document. eddsa-jcs-2022 needs the URL alone, eddsa-rdfc-2022 also the file. None is fetched. List only contexts that rename no term of the base context.',
      example: 'https://www.w3.org/ns/credentials/examples/v2=./contexts/examples-v2.json',
      defaultText: 'the two bundled contexts alone',
    }),
})

/** The values of the variables. */
export type CredentialsEnv = z.output<typeof credentialsEnv>
