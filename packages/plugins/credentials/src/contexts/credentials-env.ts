import { readFileSync } from 'node:fs'
import { isObject } from '@sibyl/protocol'
import { z } from 'zod'
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
        if (url === undefined)
          throw new Error(`'${entry.slice(0, 200)}' is invalid. Write a URL, or a URL, = and a file`)
        return [url, file === undefined ? undefined : readContext(file)]
      }),
  )

const readContext = (file: string): object => {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`'${file}' cannot be read as JSON. Check the path and its content`, { cause: error })
  }
  if (isObject(document) && Object.hasOwn(document, '@context')) return document
  throw new Error(`'${file}' is not a JSON-LD context because it has no member @context`)
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
        'Additional JSON-LD contexts for verified credentials, separated by commas: `url`, or `url=file` with the document. eddsa-jcs-2022 needs only the URL; eddsa-rdfc-2022 also needs the file. None is fetched. List only contexts that rename no term of the base context.',
      example: 'https://www.w3.org/ns/credentials/examples/v2=./contexts/examples-v2.json',
      defaultText: 'the two bundled contexts only',
    }),
})
