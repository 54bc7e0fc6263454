import { type Actor, type Full, fullOfRows, type LimitShare } from '@sibyl/plugin'
import { type CamelCaseStorage, type Grant, newId } from '@sibyl/plugin/host'
import { type Selectable, sql } from '@sibyl/plugin/storage'
import { type OauthTables, signIns } from './oauth-tables.ts'
import { repeatMs } from './record-store.ts'

/** Maximum sign-ins: of one holder, where a further one replaces the oldest, and of all. */
export const maxSignIns = { ofHolder: 50, ofAll: 100_000 } as const

/** The name of sign-ins in grants. */
export const signInSource = 'oauth'

/** A user who lets a client act for them. Times are milliseconds since 1970. */
export type SignIn = Readonly<ReturnType<typeof signInOf>>

/** Stores sign-ins. Nothing is cached, so that each ends at once in every process. */
export type SignInStore = ReturnType<typeof createSignInStore>

type Row = Selectable<OauthTables['oauth_sign_ins']>

/** Creates the store on the storage of the plugin. */
export const createSignInStore = ({ read, write }: CamelCaseStorage<OauthTables>, now: () => number) => ({
  /** Stores one; or returns the exceeded limit. */
  async create(
    { grant, origin, redirectUri, device, scopes, ...signIn }: Omit<SignIn, 'id' | 'usedAt'>,
    share: LimitShare,
  ): Promise<{ readonly id: string } | { readonly full: Full }> {
    const id = newId('signin')
    const full = await write(async tx => {
      const rows = await tx
        .selectFrom('oauth_sign_ins')
        .select(['id'])
        .where('holder', '=', share.holder)
        .orderBy('createdAt', 'desc')
        .execute()
      const surplus = rows.slice(maxSignIns.ofHolder - 1).map(row => row.id)
      if (surplus.length > 0) {
        await tx.deleteFrom('oauth_records').where('signIn', 'in', surplus).execute()
        await tx.deleteFrom('oauth_sign_ins').where('id', 'in', surplus).execute()
      }
      const exceeded = await fullOfRows(tx.selectFrom('oauth_sign_ins'), share, { perHolder: Infinity })
      if (exceeded) return exceeded
      const values = signIns.values({ scopes: [...scopes] })
      await tx
        .insertInto('oauth_sign_ins')
        .values({
          ...signIn,
          ...values,
          id,
          origin: origin ?? null,
          redirectUri: redirectUri ?? null,
          device: device ?? null,
          source: JSON.stringify(grant),
          usedAt: signIn.createdAt,
        })
        .execute()
      return undefined
    })
    return full ? { full } : { id }
  },
  /** Returns one that has not expired. */
  async find(id: string): Promise<SignIn | undefined> {
    const row = await read
      .selectFrom('oauth_sign_ins')
      .selectAll()
      .where('id', '=', id)
      .where('expiresAt', '>', now())
      .executeTakeFirst()
    return row && signInOf(row)
  },
  /** Returns those of a DID that have a token or a code, oldest first. */
  async list(did: string): Promise<SignIn[]> {
    const rows = await read
      .selectFrom('oauth_sign_ins')
      .selectAll()
      .where('did', '=', did)
      .where('expiresAt', '>', now())
      .where(isAlive(now()))
      .orderBy('createdAt')
      .execute()
    return rows.map(signInOf)
  },
  /** Returns those of all, or of a DID, that have a token or a code, ordered by ID. */
  async listAll({
    did,
    ofOperator,
    limit,
    after,
  }: {
    readonly did?: string | undefined
    /** Only those with abilities of the operator. */
    readonly ofOperator: boolean
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<SignIn[]> {
    let query = read.selectFrom('oauth_sign_ins').selectAll().where('expiresAt', '>', now()).where(isAlive(now()))
    if (did !== undefined) query = query.where('did', '=', did)
    if (ofOperator) query = query.where(sql<boolean>`scopes like ${'%"operator/%'}`)
    if (after !== undefined) query = query.where('id', '>', after)
    return (await query.orderBy('id').limit(limit).execute()).map(signInOf)
  },
  /** Returns whether a user is signed in to a client. */
  async hasClient(client: string): Promise<boolean> {
    const named = read.selectFrom('oauth_sign_ins').select('id').where('client', '=', client)
    return (await named.where('expiresAt', '>', now()).limit(1).executeTakeFirst()) !== undefined
  },
  /** Ends one with its tokens. @param did Only if it belongs to this DID. @default any */
  end: (id: string, did?: string): Promise<boolean> =>
    write(async tx => {
      const named = tx.deleteFrom('oauth_sign_ins').where('id', '=', id)
      const { numDeletedRows } = await (did === undefined ? named : named.where('did', '=', did)).executeTakeFirst()
      if (Number(numDeletedRows) === 0) return false
      await tx.deleteFrom('oauth_records').where('signIn', '=', id).execute()
      return true
    }),
  /** Ends all of a DID, and deletes its codes and its name. */
  async endAllOf(did: string): Promise<void> {
    await write(
      async tx => {
        const own = tx.selectFrom('oauth_sign_ins').select('id').where('did', '=', did)
        await tx.deleteFrom('oauth_records').where('signIn', 'in', own).execute()
        await tx.deleteFrom('oauth_sign_ins').where('did', '=', did).execute()
        await tx.deleteFrom('oauth_codes').where('did', '=', did).execute()
        await tx.deleteFrom('oauth_people').where('did', '=', did).execute()
      },
      { scrub: true },
    )
  },
})

/** Time in which a browser fetches the code of a sign-in that was allowed, in milliseconds. */
const codeMs = 600_000

/** Returns the condition that a sign-in was just allowed, or has a code or a token that is accepted. */
export const isAlive = (now: number) => sql<boolean>`exists (
  select 1 from oauth_records where sign_in = oauth_sign_ins.id and expires_at > ${now} and (
    (kind = 'Grant' and oauth_sign_ins.created_at > ${now - codeMs}) or (
      kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')
      and (consumed_at is null or consumed_at > ${now - repeatMs}))))`

/** Returns the columns of a sign-in as they are used. */
export const signInOf = ({ source, origin, redirectUri, device, ...row }: Row) => ({
  ...row,
  device: device ?? undefined,
  origin: origin ?? undefined,
  redirectUri: redirectUri ?? undefined,
  grant: JSON.parse(source) as Grant,
})

/** Returns the user of a sign-in as the actor of a request. */
export const actorOf = ({ id, did, scopes, holder, origin, grant }: SignIn): Actor => ({
  did,
  via: 'bearer',
  scopes,
  holder,
  origin,
  grant: { ...grant, credential: { source: signInSource, id } },
})
