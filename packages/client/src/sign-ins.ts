import { authSchemas } from '@sibyl/protocol'
import type * as z from 'zod'
import type { OracleHttp } from './http/oracle-http.ts'
import { pathSegment } from './http/path-segment.ts'
import { readJson } from './http/read-json.ts'

export type SignInRecord = z.infer<typeof authSchemas.signInList>['signIns'][number]

/** Applications that act for the caller, who signed in to them with OAuth. */
export interface SignIns {
  /** Returns those that have not expired. */
  list(): Promise<SignInRecord[]>
  /** Ends the access of one by its ID, with all its tokens. */
  end(id: string): Promise<void>
}

/** Creates them on the connection of a client. */
export const makeSignIns = (http: OracleHttp): SignIns => ({
  async list() {
    return (
      await readJson(
        await http.send({ method: 'GET', path: '/oauth/sign-ins', signs: ['sign-in/read'] }),
        authSchemas.signInList,
      )
    ).signIns
  },
  async end(id) {
    await http.send({
      method: 'DELETE',
      path: `/oauth/sign-ins/${pathSegment('sign-in', id)}`,
      signs: ['sign-in/delete'],
    })
  },
})
