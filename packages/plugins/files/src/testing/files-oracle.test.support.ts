import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OracleApp } from '@sibyl/core'
import { readStream, type TestActor, type TestApp, testApp } from '@sibyl/testing'
import { onTestFinished } from 'vitest'
import { files } from '../files.ts'

type Options = Parameters<typeof testApp>[0]

/** A folder that is gone after the test. */
export const folderOfTest = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An oracle with the plugin, whose files are in a folder of the test. */
export const bootFiles = async (options: Partial<Options> = {}, folder = folderOfTest()) => {
  const oracle = await testApp({ plugins: [files()], ...options, env: { FILES_DIR: folder, ...options.env } })
  const app: OracleApp = oracle.app
  return { ...oracle, app, folder, ...waysTo(oracle.actor) }
}

/** Where the content of a path is. */
export const at = (path: string, more = ''): string => `/files/content?path=${encodeURIComponent(path)}${more}`

/** The ways to a person's files over HTTP. */
export const waysTo = (actor: TestActor) => ({
  put: (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    actor.request(at(path), { method: 'PUT', body, headers }),
  get: (path: string, headers: Record<string, string> = {}, more = '') => actor.request(at(path, more), { headers }),
  del: (path: string, headers: Record<string, string> = { 'if-match': '*' }, more = '') =>
    actor.request(at(path, more), { method: 'DELETE', headers }),
  list: async (query = '') => (await actor.request(`/files${query}`)).json(),
})

/** Status and code of a problem. */
export const codeOf = async (answer: Response): Promise<string> => `${answer.status} ${(await answer.json()).code}`

/** What lies in a folder and all below it, as paths from there; links are not followed. */
export const everythingIn = (folder: string): readonly string[] =>
  entriesIn(folder).flatMap(entry =>
    entry.isDirectory() ? everythingIn(join(folder, entry.name)).map(one => join(entry.name, one)) : [entry.name],
  )

/** A folder may be deleted while its parent is read. */
const entriesIn = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The only folder of a person in FILES_DIR. */
export const personFolder = (folder: string): string => {
  const [store = ''] = readdirSync(folder)
  const [person = ''] = readdirSync(join(folder, store))
  return join(folder, store, person)
}

/** Answers the question that a stream ended with. */
export const decide = async (
  { actor }: Pick<TestApp, 'actor'>,
  session: string,
  { events }: Pick<Awaited<ReturnType<typeof readStream>>, 'events'>,
  decision: 'once' | 'deny',
) => {
  const question = events.find(({ type }) => type === 'tool-approval-request')
  return readStream(await actor.request(`/chat/${session}/approvals/${question?.approvalId}`, { json: { decision } }))
}
