import { createHash, randomUUID } from 'node:crypto'

/** A session of a client of revision 2025-11-25 or older. Its id contains all of it, so that any process can answer. */
export interface SessionFacts {
  /** Whether the client shows forms to the user. */
  readonly showsForms: boolean
  /** In milliseconds since 1970. */
  readonly begunAt: number
}

const idForm = /^([0-9a-f-]{36}\.([01])\.(\d{1,16}))\.([\w-]{22})$/

/** Creates the id of a new session of a caller. */
export const createSessionId = (did: string, { showsForms, begunAt }: SessionFacts): string => {
  const head = `${randomUUID()}.${showsForms ? 1 : 0}.${begunAt}`
  return `${head}.${mark(head, did)}`
}

/**
 * Returns the session of an id; undefined for an id of another caller, or of none. An id proves nothing: each request is
 * authenticated, and it only states what the client said of itself.
 */
export const readSessionId = (id: string, did: string): SessionFacts | undefined => {
  const [, head = '', forms, begunAt, marked] = idForm.exec(id) ?? []
  return marked === mark(head, did) ? { showsForms: forms === '1', begunAt: Number(begunAt) } : undefined
}

const mark = (head: string, did: string): string =>
  createHash('sha256').update(`${head} ${did}`).digest('base64url').slice(0, 22)
