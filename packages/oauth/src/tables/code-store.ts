import { randomInt } from 'node:crypto'
import type { CamelCaseStorage, Grant } from '@sibyl/plugin/host'
import { hashOf } from './hash-of.ts'
import { codes, type OauthTables } from './oauth-tables.ts'

/** The person and the scopes of a one-time code. */
export interface OneTimeCode {
  readonly did: string
  /** The name of the person, if its creator gave one. */
  readonly name?: string | undefined
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The grant of its creator, which also ends the sign-in; undefined for the operator token. */
  readonly grant: Grant | undefined
}

/** Stores one-time codes of the operator by their hashes. */
export interface CodeStore {
  /** Creates a code of 60 random bits: `7K2M-9QXA-T4WD`. */
  create(code: OneTimeCode): Promise<string>
  /** Returns the person of a valid code, which is thereby used. */
  redeem(code: string): Promise<OneTimeCode | undefined>
}

/** Characters that are not confused when read aloud or copied by hand (Crockford). */
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns a code in the form that is hashed: without separators, and with the characters that it can have. */
const plain = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0')

/** Creates the store on the storage of the plugin. */
export const createCodeStore = ({ write }: CamelCaseStorage<OauthTables>, now: () => number): CodeStore => ({
  async create({ did, name, scopes, expiresAt, grant }) {
    const code = Array.from({ length: 12 }, () => characters[randomInt(characters.length)]).join('')
    await write(async tx => {
      await tx
        .insertInto('oauth_codes')
        .values({
          hash: hashOf(code),
          did,
          expiresAt,
          source: grant ? JSON.stringify(grant) : null,
          ...codes.values({ scopes: [...scopes] }),
        })
        .execute()
      if (name === undefined) return
      const named = tx.insertInto('oauth_people').values({ did, name })
      await named.onConflict(conflict => conflict.column('did').doUpdateSet({ name })).execute()
    })
    return code.replace(/(.{4})(?=.)/g, '$1-')
  },
  redeem: code =>
    write(async tx => {
      const row = await tx
        .deleteFrom('oauth_codes')
        .where('hash', '=', hashOf(plain(code)))
        .returningAll()
        .executeTakeFirst()
      if (!row || row.expiresAt <= now()) return undefined
      const { did, scopes, expiresAt, source } = row
      return { did, scopes, expiresAt, grant: source === null ? undefined : (JSON.parse(source) as Grant) }
    }),
})
